"""The ring of server-sent events: nothing missed, nothing doubled, nobody waits for the slow."""

import asyncio

from board_firmware.web.stream import Stream, encode


def numbers(items):
    """The journal's numbers of some items."""
    return [item.number for item in items]


def filled(*steps, kept=8):
    """A stream with these numbers appended."""
    stream = Stream(kept)
    for number in steps:
        stream.append("step", {"n": number}, number)
    return stream


def test_an_event_is_one_block_with_its_id() -> None:
    """Id, name, one line of JSON, a blank line; no id where there is no number."""
    assert encode("step", {"a": "é"}, 7) == 'id: 7\nevent: step\ndata: {"a":"é"}\n\n'.encode()
    assert encode("table", {}) == b"event: table\ndata: {}\n\n"


def test_a_newline_in_a_text_cannot_end_the_block() -> None:
    """JSON escapes it, so nothing entered by a person can forge an event."""
    assert encode("step", {"a": "x\n\nevent: forged"}).count(b"\n") == 3


def test_a_watcher_resumes_after_the_number_it_has_heard() -> None:
    """The next events follow without gap or repetition, at every place."""
    stream = filled(3, 4, 5, 6)
    for heard in (3, 4, 5, 6):
        assert numbers(stream.after(stream.resume(heard))) == list(range(heard + 1, 7))


def test_a_watcher_one_short_of_the_ring_still_resumes() -> None:
    """It has heard the step before the oldest kept: nothing is missing."""
    assert numbers(filled(3, 4).after(filled(3, 4).resume(2))) == [3, 4]


def test_a_number_out_of_the_ring_begins_anew() -> None:
    """Too old, or of another journal's future: the state as it is must be told."""
    stream = filled(*range(1, 20), kept=4)
    assert stream.resume(5) is None
    assert stream.resume(99) is None
    assert filled().resume(1) is None


def test_events_without_a_number_keep_their_place() -> None:
    """A table event between two steps reaches whoever resumes before it."""
    stream = filled(1)
    stream.append("table", {})
    stream.append("step", {}, 2)
    assert numbers(stream.after(stream.resume(1))) == [None, 2]
    assert stream.newest() == encode("step", {}, 2)


def test_a_watcher_that_fell_out_of_the_ring_is_told_so() -> None:
    """Falling behind costs the watcher its place, not the board its memory."""
    stream = filled(*range(10), kept=4)
    assert stream.after(2) is None
    assert numbers(stream.after(6)) == [6, 7, 8, 9]
    assert stream.after(stream.serial) == ()


def test_waiting_ends_with_an_event_with_time_or_with_the_end() -> None:
    """True when something is new or all is over, False when nothing came."""

    async def body() -> None:
        stream = Stream()
        assert not await stream.changed(0, 0.0)
        waiting = asyncio.create_task(stream.changed(0, 30))
        await asyncio.sleep(0)
        stream.append("step", {}, 1)
        assert await waiting
        assert await stream.changed(0, 0.0)
        stream.close()
        assert await stream.changed(stream.serial, 0.0)

    asyncio.run(body())
