"""Which line is at ground: ranks, or the file whose chessmen pull them; judged again as the game goes on."""

from __future__ import annotations

from hal.shorts import PanelShort, Shorts
from hal.squares import line_name, parse_square

START = 0xFFFF_0000_0000_FFFF
FILES = {line_name(0x0101_0101_0101_0101 << n): 0x0101_0101_0101_0101 << n for n in range(8)}
RANKS = {line_name(0xFF << 8 * n): 0xFF << 8 * n for n in range(8)}
GROUPS = FILES | RANKS


def bits(*names):
    """A bit set of squares by name."""
    return sum(1 << parse_square(name) for name in names)


def ranks(*numbers):
    """These ranks' names."""
    return tuple(f"line rank {n}" for n in numbers)


class Wood:
    """A board with chessmen and one file at ground, as its scanner reads it."""

    def __init__(self, standing, file=None, low=()):
        self.standing, self.file, self.at_ground = standing, file, low
        self.shorts = Shorts(GROUPS)
        self.shown = standing

    @property
    def low(self):
        """The ranks that are low by themselves."""
        pulled = {part for part, squares in RANKS.items() if self.file and squares & FILES[self.file] & self.standing}
        return tuple(part for part in RANKS if part in pulled or part in self.at_ground)

    @property
    def raw(self):
        """What a scan reads."""
        found = self.standing
        for part in self.low:
            found |= RANKS[part]
        return found

    def probes(self, count=3):
        """That many scans, each with a probe; what is named in the end."""
        for _ in range(count):
            found = self.shorts.judge(self.low, self.shown, self.raw)
        hidden = 0
        for squares in found.values():
            hidden |= squares
        self.shown = self.shown & hidden | self.raw & ~hidden
        return tuple(found)

    def move(self, *names):
        """These squares change; the position is known afterwards."""
        self.standing ^= bits(*names)
        named = self.probes()
        self.shown = self.standing
        return named


def test_nothing_is_low():
    """Nothing is shorted."""
    assert Wood(START).probes() == ()


def test_a_file_in_the_starting_array():
    """All files fit: the ranks. The first move from the file that is at ground tells which one it is."""
    wood = Wood(START)
    wood.probes()
    wood.file = "line file e"
    assert wood.probes() == ranks(1, 2, 7, 8)
    assert wood.move("d2", "d4") == ranks(1, 2, 7, 8)
    assert wood.move("e7") == ("line file e",)
    assert wood.move("e5") == ("line file e",)
    assert wood.move("g1", "f3") == ("line file e",)
    assert wood.shown == wood.standing
    wood.file = None
    assert wood.probes() == ()


def test_what_nobody_can_see_because_of_a_file():
    """Its chessmen's ranks, but not its own squares: they are closed where it pulls, and open where it does not."""
    wood = Wood(bits("e4", "e5", "a1"), "line file e")
    found = wood.shorts.judge(wood.low, wood.shown, wood.raw)
    assert found == {"line file e": (RANKS["line rank 4"] | RANKS["line rank 5"]) & ~FILES["line file e"]}


def test_ranks_that_are_at_ground_themselves():
    """Two of them in mid-game: every file has chessmen elsewhere, so none is blamed, whatever moves."""
    wood = Wood(START ^ bits("e2", "e4"))
    wood.at_ground = ranks(4, 5)
    assert wood.probes() == ranks(4, 5)
    assert wood.move("d7", "d5") == ranks(4, 5)
    wood.at_ground = ranks(5)
    assert wood.probes() == ranks(5)


def test_a_scan_before_the_probe_clears_nobody():
    """The reed opened between the scan and its probe: the file is still found by the next."""
    wood = Wood(START, "line file e")
    wood.probes()
    stale = wood.raw
    wood.standing ^= bits("e2")
    wood.shorts.judge(wood.low, wood.shown, stale)
    assert not wood.shorts.is_settled
    assert wood.probes() == ("line file e",)


def test_a_file_that_was_emptied_and_filled_again():
    """Nothing is low without its chessmen; the next one that comes is told as the same file's, though it is one rank."""
    wood = Wood(bits("e4", "e5", "a1", "h8"), "line file e")
    assert wood.probes() == ("line file e",)
    assert wood.move("e4") == ("line file e",)
    assert wood.move("e5") == ()
    assert wood.move("e3") == ("line file e",)
    assert wood.move("e3") == ()
    wood.file, wood.at_ground = None, ()
    wood.move("e3")
    wood.at_ground = ranks(8)
    assert wood.probes() == ranks(8)


WHITE, BLACK, OK = 1, 2, 1 << 6
CONTACTS = {part: 1 << n for n, part in enumerate(RANKS)}


def test_the_panel_at_ground():
    """The lever's line is low, and after it has moved the other; a contact that pulls nothing takes it back."""
    panel = PanelShort(CONTACTS, 1, 2)
    assert not panel.judge(ranks(2), BLACK)
    assert not panel.judge(ranks(2, 7), BLACK | OK)
    assert not panel.judge((), 0)
    assert panel.judge(ranks(1), WHITE)
    assert panel.judge((), 0)
    assert panel.judge(ranks(1, 7), WHITE | OK)
    assert not panel.judge((), WHITE)
    assert not panel.judge(ranks(2), BLACK)


def test_ranks_and_files_at_ground_are_not_the_panel():
    """A rank stays low when the lever moves; a file pulls more than the lever's line; without a lever nothing is told."""
    panel = PanelShort(CONTACTS, 1, 2)
    for low, contacts in ((ranks(2), BLACK), (ranks(2), WHITE | BLACK), (ranks(1), WHITE), (ranks(1, 2), WHITE | BLACK)):
        assert not panel.judge(low, contacts)
    bare = PanelShort(CONTACTS, 0, 0)
    assert not bare.judge(ranks(1), WHITE)
    assert not bare.judge(ranks(2), BLACK)
