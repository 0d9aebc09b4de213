"""The list whose copies share their items."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_firmware.core.chain import Chain


def _chain(items):
    chain = Chain()
    for item in items:
        chain.append(item)
    return chain


@given(st.lists(st.integers(), max_size=12), st.data())
def test_it_reads_as_a_list_does(items, data):
    """Indices, order and length."""
    chain = _chain(items)
    assert (list(chain), list(reversed(chain)), len(chain), bool(chain)) == (
        items,
        items[::-1],
        len(items),
        bool(items),
    )
    index = data.draw(st.integers(-14, 14))
    if -len(items) <= index < len(items):
        assert chain[index] == items[index]
    else:
        with pytest.raises(IndexError):
            chain[index]


@given(st.lists(st.integers(), min_size=1, max_size=12, unique=True), st.data())
def test_a_copy_keeps_what_it_held(items, data):
    """A change of the one is not seen in the other."""
    chain = _chain(items)
    twin = chain.copy()
    index = data.draw(st.integers(0, len(items) - 1))
    chain.replace(chain[index], "new")
    chain.append("newest")
    assert list(twin) == items
    assert list(chain) == [*items[:index], "new", *items[index + 1 :], "newest"]


def test_of_equal_items_the_very_one_is_replaced():
    """Not the newest that equals it."""
    chain = _chain([[0], [0]])
    chain.replace(chain[0], "new")
    assert list(chain) == ["new", [0]]


def test_what_is_not_in_it_cannot_be_replaced():
    """Nor is anything lost over it."""
    with pytest.raises(ValueError, match="no such item"):
        _chain([1]).replace(2, 3)


def test_a_long_one_is_let_go_at_once():
    """No recursion over its links."""
    chain = _chain(range(200_000))
    del chain
