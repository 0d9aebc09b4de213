"""Buzzer and displays: in threads of their own, with stand-ins for the chips and packages."""

from __future__ import annotations

import threading
import time

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hal.board import Faulted, Recovered, Text, Tone
from hal.buzzer import Buzzer
from hal.display import DisplayThread, Hd44780, Ssd1306


def wait_until(holds):
    """Whether it does so within ten seconds."""
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.002)
    return holds()


def test_the_buzzer_sounds_tones_in_turn():
    """Frequency and length of each, then silence."""
    factory = MockFactory(pin_class=MockPWMPin)
    heard, rang = [], threading.Event()
    buzzer = None

    def wait(seconds):
        heard.append((round(buzzer._device.frequency or 0), buzzer._device.value, seconds))
        if len(heard) == 4:
            rang.set()

    buzzer = Buzzer(7, lambda: factory, wait=wait)
    buzzer.sound(Tone(hz=880, ms=20))
    buzzer.sound(Tone(hz=440, ms=50))
    assert rang.wait(10)
    buzzer.close()
    buzzer.close()
    assert heard == [(880, 0.5, 0.02), (880, 0, 0.01), (440, 0.5, 0.05), (440, 0, 0.01)]


def test_a_buzzer_pin_in_use_is_told_and_tried_again():
    """GPIO 7 twice: the second one is silent, until a tone is due when the line is free."""
    factory = MockFactory(pin_class=MockPWMPin)
    reports, rang, now = [], threading.Event(), [0.0]
    first = Buzzer(7, lambda: factory)
    second = Buzzer(7, lambda: factory, reports.append, lambda _: rang.set(), lambda: now[0])
    assert [(report.part, report.reason) for report in reports] == [("buzzer", "not_opened")]
    first.close()
    now[0] = 1.5
    second.sound(Tone(hz=440, ms=5))
    assert rang.wait(10)
    assert wait_until(lambda: reports[1:] == [Recovered(part="buzzer", at_ns=1_500_000_000)])
    second.close()


class Screen:
    """A chip that keeps what was drawn."""

    def __init__(self):
        self.drawn, self.wakes, self.closed = [], 0, False
        self.error = None
        self.done = threading.Event()

    def wake(self):
        """Counted."""
        if self.error is not None:
            raise self.error("gone")
        self.wakes += 1

    def draw(self, lines):
        """Keep it."""
        self.done.set()
        if self.error is not None:
            raise self.error("gone")
        self.drawn.append(lines)

    def close(self):
        """Released."""
        self.closed = True


def test_a_display_draws_the_newest_lines():
    """Lines that were never drawn are skipped, equal ones are not drawn again."""
    screen = Screen()
    display = DisplayThread(screen)
    display.write(Text(lines=("1. e4",)))
    display.start()
    assert screen.done.wait(10)
    display.close()
    display.close()
    assert screen.drawn == [("1. e4",)]
    assert screen.closed


def test_a_buzzer_that_fails_is_told_once_and_plays_on():
    """A pin that fails for a while: no thread ends, tones before the next attempt are dropped, then it sounds again."""
    factory = MockFactory(pin_class=MockPWMPin)
    reports, rang, now = [], threading.Event(), [0.0]
    buzzer = Buzzer(7, lambda: factory, reports.append, lambda _: rang.set(), lambda: now[0])
    device, buzzer._device = buzzer._device, object()  # whatever is set on it is an AttributeError
    buzzer.sound(Tone(hz=440, ms=5))
    assert wait_until(lambda: reports == [Faulted(part="buzzer", reason="lost", at_ns=0)])
    buzzer._device = device
    buzzer.sound(Tone(hz=440, ms=5))
    assert wait_until(buzzer._tones.empty)
    assert not rang.is_set()
    now[0] = 1.5
    buzzer.sound(Tone(hz=440, ms=5))
    assert rang.wait(10)
    assert wait_until(lambda: reports[1:] == [Recovered(part="buzzer", at_ns=1_500_000_000)])
    buzzer.close()


def test_a_tone_that_does_not_end_is_ended_later():
    """One failure when it should fall silent: nobody asks for another tone, and it is silent all the same."""
    factory = MockFactory(pin_class=MockPWMPin)
    reports, now, failing = [], [0.0], [True, True]

    class Device:
        """A device of gpiozero's whose silence fails."""

        frequency, sounding = 0, 0

        @property
        def value(self):
            """What it plays."""
            return self.sounding

        @value.setter
        def value(self, level):
            if not level and failing:
                failing.pop()
                raise OSError("I/O error")
            self.sounding = level

        def close(self):
            """Nothing to release."""

    buzzer = Buzzer(7, lambda: factory, reports.append, lambda _: None, lambda: now[0])
    buzzer._device.close()
    buzzer._device = device = Device()
    buzzer.sound(Tone(hz=440, ms=5))
    assert wait_until(lambda: len(reports) == 1)
    now[0] = 1.5
    assert wait_until(lambda: len(failing) == 0)
    assert device.value == 0.5
    now[0] = 4.5
    assert wait_until(lambda: device.value == 0)
    assert wait_until(lambda: len(reports) == 2)
    assert [type(report) for report in reports] == [Faulted, Recovered]
    buzzer.close()
    assert not buzzer._thread.is_alive()


def test_a_pin_factory_that_is_not_there_yet_is_asked_again():
    """Nothing but the buzzer needs GPIO on a board of port expanders: without it such a board is silent, for now."""
    made, reports, now, rang = [], [], [0.0], threading.Event()

    def factory():
        if now[0] < 1:
            raise OSError("this machine has no lgpio")
        made.append(MockFactory(pin_class=MockPWMPin))
        return made[-1]

    buzzer = Buzzer(7, factory, reports.append, lambda _: rang.set(), lambda: now[0])
    assert [(report.part, report.reason) for report in reports] == [("buzzer", "not_opened")]
    now[0] = 1.5
    buzzer.sound(Tone(hz=440, ms=5))
    assert rang.wait(10)
    assert wait_until(lambda: reports[1:] == [Recovered(part="buzzer", at_ns=1_500_000_000)])
    assert len(made) == 1
    buzzer.close()


def test_a_buzzer_closes_in_the_middle_of_a_tone():
    """Nine long tones wait; it is silent at once and its line free."""
    factory = MockFactory(pin_class=MockPWMPin)
    buzzer = Buzzer(7, lambda: factory)
    for _ in range(12):
        buzzer.sound(Tone(hz=440, ms=5_000))
    begun = time.monotonic()
    buzzer.close()
    assert time.monotonic() - begun < 1
    assert not buzzer._thread.is_alive()
    Buzzer(7, lambda: factory).close()


@pytest.mark.parametrize("error", [OSError, RuntimeError, KeyError])
def test_a_display_that_fails_is_told_once_and_drawn_on_later(error):
    """After a pause with the newest lines, without being asked; closed meanwhile it ends at once."""
    screen, reports, now = Screen(), [], [0.0]
    display = DisplayThread(screen, reports.append, lambda: now[0])
    screen.error = error
    display.write(Text(lines=("x",)))
    display.start()
    assert wait_until(lambda: reports == [Faulted(part="display", reason="lost", at_ns=0)])
    screen.error = None
    display.write(Text(lines=("y",)))
    now[0] = 1.5
    display.write(Text(lines=("z",)))
    assert wait_until(lambda: len(reports) == 2)
    assert reports[1] == Recovered(part="display", at_ns=1_500_000_000)
    assert screen.drawn == [("z",)]
    assert screen.wakes == 2
    screen.error = error
    display.write(Text(lines=("gone",)))
    assert wait_until(lambda: len(reports) == 3)
    begun = time.monotonic()
    display.close()
    assert time.monotonic() - begun < 1
    assert not display._thread.is_alive()


def test_an_old_picture_is_drawn_again():
    """The chip is woken first: it may have lost its supply, and does not say so."""
    screen, now = Screen(), [0.0]
    display = DisplayThread(screen, clock=lambda: now[0])
    display.write(Text(lines=("x",)))
    for now[0] in (0.0, 1.0, 4.9, 5.1, 9.9, 10.2):
        assert 0 < display.refresh() <= 5
    assert screen.drawn == [("x",)] * 3
    assert screen.wakes == 3
    display.close()


def test_lines_are_drawn_five_times_a_second_at_most():
    """Each time something new is written: a slow bus takes a tenth of a second for one."""
    screen = Screen()
    display = DisplayThread(screen, clock=lambda: 0.0)
    waited = []

    class Closed(threading.Event):
        def wait(self, timeout=None):
            waited.append(timeout)
            if len(waited) == 3:
                self.set()
            return self.is_set()

    display._closed = Closed()
    display.write(Text(lines=("0",)))
    display._wake.wait = lambda timeout: display.write(Text(lines=(str(len(screen.drawn)),)))
    display._run()
    assert waited == [0.2] * 3
    assert screen.drawn == [("0",), ("1",), ("2",)]


@pytest.mark.parametrize(("chip", "extra"), [(Ssd1306, "display"), (Hd44780, "lcd")])
def test_a_missing_package_names_its_extra(chip, extra, monkeypatch):
    """The error says what to install."""

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("hal.display.import_module", missing)
    with pytest.raises(OSError, match=rf"touchmove\[{extra}\]"):
        chip(1, 0x3C).wake()
