"""Which port is the board on: the field's stories of names that change and boards that are known already."""

from __future__ import annotations

import os
import re
from pathlib import Path

from hal.ports import Port, PortFinder, bluetooth_boards, candidates, same_port, stable_name

BOARD = Port(path="/dev/ttyUSB0", vendor=0x0403, product=0x6001, serial_number="A50285BI", location="1-1.2")


def test_s02_a_board_comes_back_under_another_name(tmp_path):
    """Field case S02: ttyUSB0 is ttyUSB1 after the replug; the serial number tells."""
    elsewhere = Port(path="/dev/ttyUSB1", vendor=0x0403, product=0x6001, serial_number="A50285BI", location="1-1.3")
    other = Port(path="/dev/ttyUSB0", vendor=0x0403, product=0x6001, serial_number="OTHER", location="1-1.2")
    plugged = [BOARD]
    finder = PortFinder("/dev/ttyUSB0", listed=lambda: plugged, by_id=tmp_path)
    assert finder.where() == "/dev/ttyUSB0"
    finder.opened("/dev/ttyUSB0")
    plugged[:] = []
    assert finder.where() == "/dev/ttyUSB0"
    plugged[:] = [other, elsewhere]
    assert finder.where() == "/dev/ttyUSB1"


def test_a_board_without_a_serial_number_is_known_by_its_socket():
    """And never by make alone: two equal adapters are two ports."""
    known = Port(path="/dev/ttyUSB0", vendor=1, product=2, location="1-1.2")
    same = Port(path="/dev/ttyUSB3", vendor=1, product=2, location="1-1.2")
    other = Port(path="/dev/ttyUSB0", vendor=1, product=2, location="1-1.4")
    assert same_port(known, [other, same]) == "/dev/ttyUSB3"
    assert same_port(known, [other]) is None
    assert same_port(Port(path="/dev/ttyAMA0"), [Port(path="/dev/ttyAMA0")]) is None


def test_the_by_id_link_is_found_and_preferred(tmp_path):
    """The link that leads to the device now is what stays after the next replug."""
    device = tmp_path / "ttyACM0"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    link = by_id / "usb-Digital_Game_Timer-if00"
    os.symlink(device, link)
    assert stable_name(str(device), by_id) == str(link)
    assert stable_name(str(tmp_path / "ttyACM1"), by_id) is None
    finder = PortFinder(str(device), listed=list, by_id=by_id)
    finder.opened(str(device))
    assert finder.where() == str(link)


RULES = Path(__file__).resolve().parents[2] / "hardware_docs" / "serial_protocols.md"


def test_the_udev_rules_of_the_docs_are_rules():
    """Each line is a list of matches and assignments as udev reads them; every serial port is kept from ModemManager."""
    lines = [line for line in RULES.read_text().splitlines() if line.startswith(("SUBSYSTEM==", "KERNEL=="))]
    assert len(lines) == 4
    word = r'[A-Z_]+(\{\w+\})?(==|\+?=)"[\w*]+"'
    for line in lines:
        assert re.fullmatch(rf"{word}(, {word})*", line), line
        assert 'TAG+="uaccess"' in line
        assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in line or "hidraw" in line
    assert any('ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001"' in line for line in lines)


def test_s16_what_could_be_meant_names_paired_boards():
    """Field case S16: a port that is not there is answered with those there are, boards that are only paired included."""
    here = candidates(listed=lambda: [BOARD], paired=lambda: "Device 00:06:66:AA:BB:CC DGT_BT_21265\n")
    assert here == ("/dev/ttyUSB0", "DGT_BT_21265 over Bluetooth (sudo rfcomm bind 0 00:06:66:AA:BB:CC)")
    assert candidates(listed=list, paired=lambda: "") == ()


def test_s16_a_paired_board_is_found_in_the_known_list():
    """Field case S16: the scan shows nothing new, the list of known devices holds the board."""
    known = "Device 00:06:66:AA:BB:CC DGT_BT_21265\nDevice 11:22:33:44:55:66 Kitchen radio\n"
    assert bluetooth_boards("", known) == {"00:06:66:AA:BB:CC": "DGT_BT_21265"}
    scanned = "[NEW] Device AA:06:66:AA:BB:CC PCS-REVII-081500\n"
    assert set(bluetooth_boards(scanned, known).values()) == {"PCS-REVII-081500", "DGT_BT_21265"}
