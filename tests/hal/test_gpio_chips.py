"""Which GPIO chip has the header: by its label, on machines whose kernels number theirs differently."""

from __future__ import annotations

import errno
import os

import pytest

from hal import assembly, gpio_chips
from hal.assembly import open_reed
from hal.gpio_chips import chips_here, header_chip, label_of
from hal.net import Net
from hal.wiring import default_wiring
from tests.hal.gpiod_model import GpiodModel

PI_4 = {"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}
PI_5 = {f"gpiochip{n}": f"gpio-brcmstb@107d5085{n}0" for n in range(4)} | {"gpiochip4": "pinctrl-rp1"}
PI_5_LATER = {
    "gpiochip0": "pinctrl-rp1",
    "gpiochip10": "gpio-brcmstb@107d508500",
    "gpiochip9": "gpio-brcmstb@107d517c00",
}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Makes this machine one with such chips; a label that is a number is the error with which that chip opens."""

    def made(chips):
        for name, content in chips.items():
            (tmp_path / name).write_text(str(content))
        monkeypatch.setattr(gpio_chips, "DEV", tmp_path)
        monkeypatch.setattr(gpio_chips, "label_of", label)
        return tmp_path

    def label(device):
        if device not in map(str, tmp_path.iterdir()):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        text = (tmp_path / device.rpartition("/")[2]).read_text()
        if text.isdecimal():
            raise OSError(int(text), os.strerror(int(text)))
        return text

    return made


@pytest.mark.parametrize(("chips", "name"), [(PI_4, "gpiochip0"), (PI_5, "gpiochip4"), (PI_5_LATER, "gpiochip0")])
def test_the_chip_is_found_by_its_label(machine, chips, name):
    """Whatever its number."""
    folder = machine(chips)
    assert header_chip() == header_chip(str(folder / name)) == str(folder / name)


def test_a_second_name_of_a_chip_is_not_listed(machine):
    """Newer systems keep gpiochip4 on a Pi 5 as a link to the first."""
    folder = machine(PI_5_LATER)
    (folder / "gpiochip4").symlink_to("gpiochip0")
    (folder / "gpiochip").write_text("no number")
    names = [device.rpartition("/")[2] for device in gpio_chips.devices()]
    assert names == ["gpiochip0", "gpiochip9", "gpiochip10"]
    assert header_chip(str(folder / "gpiochip4")) == str(folder / "gpiochip4")


def test_another_chip_is_refused(machine):
    """Its lines have the same numbers and switch the Pi's own power: the key is named, and what there is."""
    folder = machine(PI_5)
    with pytest.raises(
        OSError, match=r'chip = ".*gpiochip0" is gpio-brcmstb@.* not the header: .*gpiochip4 pinctrl-rp1'
    ):
        header_chip(str(folder / "gpiochip0"))
    with pytest.raises(OSError, match=r'chip = ".*gpiochip7" does not open: No such file.*gpiochip4 pinctrl-rp1'):
        header_chip(str(folder / "gpiochip7"))


def test_chips_that_may_not_be_opened(machine):
    """The group is named, for the chip that was asked for and for one that was looked for."""
    folder = machine({"gpiochip0": errno.EACCES})
    with pytest.raises(OSError, match=r"no GPIO chip of a Pi's header.*gpiochip0 .Permission denied: join group gpio"):
        header_chip()
    with pytest.raises(OSError, match="does not open: Permission denied: join group gpio"):
        header_chip(str(folder / "gpiochip0"))


def test_a_machine_without_chips(machine):
    """Said in as many words."""
    machine({})
    assert chips_here().startswith("chips here: none; a Pi's is one of pinctrl-rp1")
    with pytest.raises(OSError, match="chips here: none"):
        header_chip()


def test_the_label_is_the_second_name_of_the_kernels_answer(tmp_path, monkeypatch):
    """struct gpiochip_info: 32 bytes of name, 32 of label, the number of lines; the device is closed again."""
    device = tmp_path / "gpiochip0"
    device.write_bytes(b"")
    asked = []

    def ioctl(file, request, argument):
        asked.append((file, request, len(argument)))
        return b"gpiochip0".ljust(32, b"\0") + b"pinctrl-bcm2711".ljust(32, b"\0") + (58).to_bytes(4, "little")

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    assert label_of(str(device)) == "pinctrl-bcm2711"
    ((file, request, length),) = asked
    assert (request, length) == (0x8044B401, 68)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)


def test_both_backends_open_that_chip(machine, monkeypatch):
    """gpiozero is told its number, libgpiod its file."""
    folder = machine(PI_5)
    opened = []

    class Stop(Exception):  # noqa: N818 - no error
        pass

    class Package:
        @staticmethod
        def LGPIOFactory(chip):
            opened.append(chip)
            raise Stop

    class Gpiod(GpiodModel):
        def request_lines(self, chip, config, consumer):
            opened.append(chip)
            raise Stop

    wired = default_wiring()
    monkeypatch.setattr("hal.lines.import_module", lambda name: Gpiod(Net(wired), wired.matrix))
    monkeypatch.setattr(assembly, "import_module", lambda name: Package)
    with pytest.raises(OSError, match="GPIO does not open"):
        open_reed("")
    wiring = folder / "lines.toml"
    wiring.write_text('[scanner]\nbackend = "lines"\n[buzzer]\ngpio = 0\n')
    with pytest.raises(Stop):
        open_reed(str(wiring))
    assert opened == [4, str(folder / "gpiochip4")]
