"""Nothing is believed once: two reports must agree, in any order of hints and whole reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hal.agreement import Agreement, Confirmed
from hal.placement import START

MS = 1_000_000


def _with(placement: str, **contents: str) -> str:
    squares = list(placement)
    for name, content in contents.items():
        squares["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)] = content
    return "".join(squares)


def _settled() -> Agreement:
    agreement = Agreement()
    agreement.whole(START, 0)
    agreement.whole(START, 0)
    return agreement


def test_the_first_two_equal_reports_set_the_state():
    """One report alone is no state; two different ones are none either."""
    agreement = Agreement()
    assert agreement.whole(START, 0) == ()
    assert agreement.settled is None
    assert agreement.whole(_with(START, e2="."), 1) == ()
    assert agreement.settled is None
    assert agreement.whole(_with(START, e2="."), 2) == ()
    assert agreement.settled == _with(START, e2=".")
    assert not agreement.is_unsettled


def test_a_report_with_something_left_over_is_taken_back():
    """What it alone has claimed is forgotten, hints are not; another report is wanted, and two must agree again."""
    agreement = _settled()
    wrong = _with(START, d7=".", d5="p", f1=".")
    agreement.whole(wrong, 1)
    agreement.hint(12, ".", 2)
    agreement.doubt()
    assert agreement.is_unsettled
    assert agreement.whole(_with(wrong, e2="."), 3) == (Confirmed(square=12, content=".", at_ns=2),)
    agreement.doubt()
    assert agreement.whole(_with(START, e2="."), 4) == ()
    assert not agreement.is_unsettled
    fresh = Agreement()
    fresh.whole(wrong, 0)
    fresh.doubt()
    assert fresh.whole(wrong, 1) == ()
    assert fresh.settled is None


def test_a_hint_is_confirmed_by_the_next_whole_report():
    """The time is the hint's."""
    agreement = _settled()
    agreement.hint(12, ".", 5 * MS)
    assert agreement.is_unsettled
    assert agreement.settled == START
    assert agreement.whole(_with(START, e2="."), 80 * MS) == (Confirmed(square=12, content=".", at_ns=5 * MS),)
    assert not agreement.is_unsettled


def test_a_wrong_hint_is_forgotten():
    """A flipped square number changes nothing."""
    agreement = _settled()
    agreement.hint(28, "Q", 5 * MS)
    assert agreement.whole(START, 80 * MS) == ()
    assert agreement.settled == START
    assert not agreement.is_unsettled


def test_a_wrong_whole_report_is_not_believed():
    """One flipped byte in a dump asks for another dump, and that one settles it."""
    agreement = _settled()
    assert agreement.whole(_with(START, e4="n"), 10 * MS) == ()
    assert agreement.is_unsettled
    assert agreement.whole(START, 20 * MS) == ()
    assert not agreement.is_unsettled


def test_a_lost_hint_is_found_by_two_whole_reports():
    """The time is the first report's."""
    agreement = _settled()
    agreement.whole(_with(START, e2="."), 10 * MS)
    assert agreement.whole(_with(START, e2="."), 20 * MS) == (Confirmed(square=12, content=".", at_ns=10 * MS),)


def test_a_piece_put_back_between_two_reports_was_lifted():
    """The touch is kept, in its order and with its times."""
    agreement = _settled()
    agreement.hint(6, ".", 5 * MS)
    agreement.hint(6, "N", 9 * MS)
    assert agreement.whole(START, 80 * MS) == (
        Confirmed(square=6, content=".", at_ns=5 * MS),
        Confirmed(square=6, content="N", at_ns=9 * MS),
    )


def test_several_squares_keep_their_order():
    """A capture: victim off, mover off, mover on."""
    agreement = _settled()
    for square, content, at_ms in ((52, ".", 1), (12, ".", 2), (52, "P", 3)):
        agreement.hint(square, content, at_ms * MS)
    confirmed = agreement.whole(_with(START, e7="P", e2="."), 80 * MS)
    assert [(change.square, change.content) for change in confirmed] == [(52, "."), (12, "."), (52, "P")]


def test_after_a_restart_nothing_is_known():
    """Two equal reports are wanted again, and what differs is no change but a new state."""
    agreement = _settled()
    agreement.restart()
    assert agreement.settled is None
    agreement.whole(_with(START, e2="."), 0)
    assert agreement.whole(_with(START, e2="."), 0) == ()
    assert agreement.settled == _with(START, e2=".")


_CONTENT = st.sampled_from(list(".PpNnQq?"))


@given(st.lists(st.one_of(st.tuples(st.integers(0, 63), _CONTENT), st.none()), max_size=40))
def test_a_quiet_line_settles_on_the_truth_in_two_reports(steps):
    """Whatever hints came and whatever was wrong, two equal reports are what is believed, and the changes add up."""
    agreement = _settled()
    told = list(START)
    truth = START
    for at_ns, step in enumerate(steps):
        if step is None:
            truth = truth[1:] + truth[:1]
            changes = agreement.whole(truth, at_ns)
        else:
            agreement.hint(*step, at_ns)
            changes = ()
        for change in changes:
            assert told[change.square] != change.content
            told[change.square] = change.content
        assert "".join(told) == agreement.settled
    for at_ns in (1000, 1001):
        for change in agreement.whole(truth, at_ns):
            told[change.square] = change.content
    assert "".join(told) == truth == agreement.settled
    assert not agreement.is_unsettled
