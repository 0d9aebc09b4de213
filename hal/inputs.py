"""How many contacts the chips of a board without a matrix can read: 64 squares first, what is left for the panel.

Pure arithmetic, asked when a wiring is read, so that a button that no chip sees is refused with its name and not
silently dead.

Source: 74HC165 data sheet (eight inputs); Microchip DS20001952 (sixteen inputs at the addresses 0x20 to 0x27; GPA7 and
GPB7 of an MCP23017 are outputs only since revision D).
"""

from __future__ import annotations

from collections.abc import Sequence

ADDRESSES = range(0x20, 0x28)
"""Three pins of an MCP23017 or MCP23S17 choose among these."""

MOST_CONTACTS = 16
"""More has no panel."""

PER_CHIP = {"mcp23s17": 16, "mcp23017": 14}


def address_problem(kind: str, addresses: Sequence[int]) -> str | None:
    """What is wrong with the addresses of a scanner of this ``kind``; None if nothing is."""
    inputs = PER_CHIP.get(kind)
    if inputs is None:
        return None
    for n, address in enumerate(addresses):
        if address not in ADDRESSES:
            return f"{address:#04x} is no address of these chips: 0x20 to 0x27 are"
        if address in addresses[:n]:
            return f"{address:#04x} is named twice: two chips that answer together are read as one"
    if inputs * len(addresses) < 64:
        why = " (GPA7 and GPB7 of an MCP23017 are outputs only)" if kind == "mcp23017" else ""
        return (
            f"{len(addresses)} chips with {inputs} usable inputs each{why} read {inputs * len(addresses)} switches;"
            f" 64 squares need {-(-64 // inputs)} chips"
        )
    return None


def contacts_of(kind: str, panel_lines: int, chips: int) -> int:
    """How many panel contacts a scanner reads: 8 a panel line of a matrix, the ninth 74HC165, or the expanders' rest."""
    if kind == "matrix":
        return 8 * panel_lines
    if kind == "shift_register":
        return 8
    return min(MOST_CONTACTS, PER_CHIP[kind] * chips - 64)
