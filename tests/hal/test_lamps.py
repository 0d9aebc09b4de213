"""Lamps: whole pictures, blinking, the current cap, refreshes only on change, a driver that fails."""

from __future__ import annotations

import threading
import time

import pytest

from hal.board import Faulted, Lamp, Lamps, Recovered
from hal.lamps import AGAIN_S, DARK, LampThread, dimmed, frame, next_change_s, share_of
from hal.squares import parse_square

GREEN = Lamp(red=0, green=200, blue=40)
E8, F8, G8, H8 = (parse_square(name) for name in ("e8", "f8", "g8", "h8"))


class Writer:
    """A chip that keeps what it was sent."""

    def __init__(self):
        self.frames = []
        self.error, self.closed, self.calls = None, False, 0
        self.written = threading.Event()

    def write(self, colours, share):
        """Keep the picture, dimmed as a chip does that takes colours."""
        self.written.set()
        self.calls += 1
        if self.error is not None:
            raise self.error("gone")
        self.frames.append([tuple(dimmed(level, share) for level in colour) for colour in colours])

    def close(self):
        """Released."""
        self.closed = True


def lit(colours):
    """The squares that are not dark."""
    return {square for square, colour in enumerate(colours) if colour != DARK}


def shown(lamps, at_s, brightness_percent, limit_ma):
    """The colours of a picture as they are lit."""
    share = share_of(lamps, brightness_percent, limit_ma)
    return [tuple(dimmed(level, share) for level in colour) for colour in frame(lamps, at_s)]


def thread_of(writer, **changes):
    """A lamp thread that is not started, with a clock that stands at 0."""
    settings = {"brightness_percent": 100, "limit_ma": 1e9, "refresh_hz": 30, "clock": lambda: 0.0}
    return LampThread(lambda: writer, **(settings | changes))


def test_a_picture_is_whole():
    """H18: castling lamps e8 g8 h8 f8 and no others, whatever was shown before."""
    writer = Writer()
    lamps = thread_of(writer)
    lamps.show(Lamps(squares=dict.fromkeys(range(20), GREEN)))
    lamps.refresh()
    lamps.show(Lamps(squares=dict.fromkeys((E8, G8, F8, H8), GREEN)))
    lamps.refresh()
    assert lit(writer.frames[-1]) == {E8, F8, G8, H8}
    assert writer.frames[-1][E8] == (0, 200, 40)


def test_an_equal_picture_is_not_sent_again():
    """The chip keeps it."""
    writer = Writer()
    lamps = thread_of(writer)
    for _ in range(3):
        lamps.show(Lamps(squares={E8: GREEN}))
        assert lamps.refresh() == AGAIN_S
    assert len(writer.frames) == 1


def test_an_old_picture_is_sent_again():
    """A chip that has lost its supply does not say so: it gets the whole picture after five seconds at the latest."""
    writer, now = Writer(), [0.0]
    lamps = thread_of(writer, clock=lambda: now[0])
    lamps.show(Lamps(squares={E8: GREEN}))
    for now[0] in (0.0, 4.9, 5.1, 9.9, 10.2):
        lamps.refresh()
    assert [lit(one) for one in writer.frames] == [{E8}] * 3


def test_blinking():
    """At 1 Hz lit for half a second, dark for half; the wait is until the next change of the quickest lamp."""
    slow, fast = Lamp(red=9, green=9, blue=9, blink_hz=1), Lamp(red=9, green=9, blue=9, blink_hz=4)
    picture = Lamps(squares={E8: slow, F8: fast, G8: GREEN})
    assert lit(frame(picture, 0.0)) == {E8, F8, G8}
    assert lit(frame(picture, 0.13)) == {E8, G8}
    assert lit(frame(picture, 0.63)) == {G8}
    assert next_change_s(picture, 0.0) == pytest.approx(0.125)
    assert next_change_s(picture, 0.2) == pytest.approx(0.05)
    assert next_change_s(Lamps(squares={G8: GREEN}), 3.0) is None


def test_the_current_is_capped():
    """64 white lamps at full: 3.8 A dimmed to 1.2 A; sixteen at 20 % stay as they are; blinking does not pump."""
    white = Lamp(red=255, green=255, blue=255)
    colours = shown(Lamps(squares=dict.fromkeys(range(64), white)), 0, 100, 1200)
    drawn_ma = sum(sum(colour) for colour in colours) * 20 / 255
    assert drawn_ma <= 1200
    assert colours[0][0] > 70
    few = shown(Lamps(squares=dict.fromkeys(range(16), white)), 0, 20, 1200)
    assert few[0] == (51, 51, 51)
    blinking = Lamp(red=255, green=255, blue=255, blink_hz=1)
    mixed = Lamps(squares=dict.fromkeys(range(32), white) | dict.fromkeys(range(32, 64), blinking))
    assert shown(mixed, 0.0, 100, 1200)[0] == shown(mixed, 0.6, 100, 1200)[0]


def test_what_is_lit_stays_lit_however_dim():
    """The share of the game's settings and that of the wiring are one number before anything is rounded."""
    writer = Writer()
    lamps = thread_of(writer, brightness_percent=20)
    green = Lamps(squares={E8: GREEN}, share=0.04)
    assert share_of(green, 20, 1e9) == pytest.approx(0.008)
    lamps.show(green)
    lamps.refresh()
    assert writer.frames[-1][E8] == (0, 1, 1)
    lamps.show(Lamps(squares={E8: GREEN}, share=0.06))  # the same colours: only the share has changed
    lamps.refresh()
    assert writer.frames[-1][E8] == (0, 2, 1)
    assert len(writer.frames) == 2
    assert [dimmed(level, 0.0) for level in (0, 1, 255)] == [0, 1, 1]


def test_dim_lamps_still_keep_within_the_current():
    """The cap holds for what is drawn at the share that is set."""
    white = dict.fromkeys(range(64), Lamp(red=255, green=255, blue=255))
    assert share_of(Lamps(squares=white, share=0.25), 100, 1200) == pytest.approx(0.25)
    assert share_of(Lamps(squares=white, share=0.5), 100, 1200) == pytest.approx(0.3125)


@pytest.mark.parametrize("error", [OSError, RuntimeError, ValueError])
def test_a_driver_that_fails_is_told_once_and_tried_again(error):
    """H16, and a cable that is pushed in again: no call before a pause is over, then the newest picture, and all is well."""
    writer, reports, now = Writer(), [], [0.0]
    lamps = thread_of(writer, report=reports.append, clock=lambda: now[0])
    writer.error = error
    lamps.show(Lamps(squares={E8: GREEN}))
    calls = []
    for now[0] in (0.0, 0.5, 1.0, 2.9, 3.0, 6.9, 7.0):
        lamps.refresh()
        calls.append(writer.calls)
    assert calls == [1, 1, 2, 2, 3, 3, 4]
    assert reports == [Faulted(part="lamps", reason="lost", at_ns=0)]
    writer.error = None
    lamps.show(Lamps(squares={F8: GREEN}))
    for now[0] in (14.0, 15.0, 16.0):
        lamps.refresh()
    assert [lit(one) for one in writer.frames] == [{F8}]
    assert reports[1:] == [Recovered(part="lamps", at_ns=15_000_000_000)]
    writer.error = error
    lamps.show(Lamps())
    lamps.refresh()
    lamps.close()
    assert writer.closed
    assert len(reports) == 3


def test_lamps_that_do_not_open_at_the_start_are_opened_later():
    """Told as such and not as lost, tried as after any failure; then the newest picture, and all is well."""
    writer, reports, now, tries = Writer(), [], [0.0], []

    def opening():
        tries.append(now[0])
        if now[0] < 5:
            raise RuntimeError("no such device")
        return writer

    lamps = LampThread(
        opening, brightness_percent=100, limit_ma=1e9, refresh_hz=30, report=reports.append, clock=lambda: now[0]
    )
    lamps.show(Lamps(squares={E8: GREEN}))
    for now[0] in (0.5, 1.0, 2.0, 3.0, 6.0, 7.0, 8.0):
        lamps.refresh()
    assert tries == [0.0, 1.0, 3.0, 7.0]
    assert [lit(one) for one in writer.frames] == [{E8}]
    assert [report.reason for report in reports[:1]] == ["not_opened"]
    assert reports[1:] == [Recovered(part="lamps", at_ns=7_000_000_000)]
    lamps.close()
    assert writer.closed


def test_the_thread_outlives_a_driver_of_any_kind():
    """What is no OSError ends nothing: the thread is there for the next attempt, and ends at once when it is closed."""
    writer = Writer()
    writer.error = RuntimeError
    lamps = LampThread(lambda: writer, brightness_percent=100, limit_ma=1e9, refresh_hz=0.1)
    lamps.start()
    assert writer.written.wait(10)
    assert lamps._thread.is_alive()
    begun = time.monotonic()
    lamps.close()
    assert time.monotonic() - begun < 1
    assert not lamps._thread.is_alive()


def test_the_thread_shows_and_goes_dark():
    """Started, it writes the picture it is given; closed, the last thing sent is darkness."""
    writer = Writer()
    lamps = LampThread(lambda: writer, brightness_percent=100, limit_ma=1e9, refresh_hz=1000)
    lamps.show(Lamps(squares={E8: GREEN}))
    lamps.start()
    assert writer.written.wait(10)
    lamps.close()
    lamps.close()
    assert lit(writer.frames[0]) == {E8}
    assert lit(writer.frames[-1]) == set()
    assert writer.closed


class Steps(threading.Event):
    """An event on which nobody waits: it keeps for how long that was asked, and is set after so many times."""

    def __init__(self, steps):
        super().__init__()
        self.steps, self.waited = steps, []

    def wait(self, timeout=None):
        """At once."""
        self.waited.append(timeout)
        if len(self.waited) >= self.steps:
            self.set()
        return self.is_set()


@pytest.mark.parametrize("refresh_hz", [1, 30, 100])
def test_no_more_pictures_than_are_asked_for(refresh_hz):
    """However many come: between two of them the thread waits for that long."""
    writer = Writer()
    lamps = thread_of(writer, refresh_hz=refresh_hz)
    lamps._closed = closed = Steps(4)
    lamps.show(Lamps(squares={E8: GREEN}))
    lamps._wake.wait = lambda timeout: lamps.show(Lamps(squares={len(writer.frames): GREEN}))
    lamps._run()
    assert closed.waited == [1 / refresh_hz] * 4
    assert len(writer.frames) == 4
