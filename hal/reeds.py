"""The physics of a magnet over a reed: how strong a field the reed feels, when it closes and when it lets go.

A piece is a point dipole, pole down, in the foot of a chessman; the reed feels the field along its own axis averaged
over its length. The dipole's axial field is a difference of two potentials, so the average needs no integration.
Lengths are mm, fields mT. That blades concentrate the flux is left out: shapes and ratios are right, the threshold
is a setting.

Source: dipole field Bz = k m (2z^2 - r^2)/R^5, Bx = 3 k m x z/R^5; figures of an 8 mm board, a 10 mm reed and neodymium
discs of 1.3 T remanence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

REMANENCE_T = 1.3
"""Of an N42 disc; 10 % less moves the closing radius by half a millimetre."""

REED_MM = 10.0
"""Length over which the blades collect the field."""

REACH_MM = 80.0
"""Further away a magnet is taken for nothing: 0.05 mT, one part in forty of a threshold."""

Orientation = Literal["vertical", "horizontal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Magnet:
    """A disc magnet in the foot of a chessman."""

    diameter_mm: float = 10.0
    height_mm: float = 3.0

    @property
    def moment_am2(self) -> float:
        """Dipole moment in A m2: remanence times volume over mu0."""
        volume_m3 = math.pi * (self.diameter_mm / 2000) ** 2 * self.height_mm / 1000
        return REMANENCE_T * volume_m3 / (4e-7 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReedSettings:
    """A board's geometry and the spread of its reeds; ``pull_in_spread`` and ``magnet_spread`` are relative."""

    square_mm: float = 50.0
    board_mm: float = 8.0
    magnet: Magnet = Magnet()
    magnet_spread: float = 0.08
    orientation: Orientation = "vertical"
    offset_mm: float = 0.0  # of a horizontal reed along its axis, away from the centre null
    pull_in_mt: float = 2.0
    pull_in_spread: float = 0.20
    drop_out_low: float = 0.45  # of pull-in
    drop_out_high: float = 0.65
    bounce: bool = True
    bounce_cap_ms: float = 0.5  # 1.0 aged, 3.0 abuse

    def __post_init__(self) -> None:
        if not 0 < self.drop_out_low <= self.drop_out_high < 1:
            raise ValueError(
                f"drop_out_low = {self.drop_out_low:g}, drop_out_high = {self.drop_out_high:g}: "
                "a reed lets go below its pull-in, so both lie between 0 and 1 and in order"
            )


def vertical_field(settings: ReedSettings) -> Callable[[float, float, float], float]:
    """The field function ``f(dx, dy, z)`` in mT of an upright reed: dx, dy from reed to magnet, z of its foot in mm."""
    scale = 1e5 * settings.magnet.moment_am2 / REED_MM
    depth = settings.board_mm + settings.magnet.height_mm / 2

    def field(dx: float, dy: float, z: float) -> float:
        near = z + depth
        far = near + REED_MM
        flat = dx * dx + dy * dy
        return float(scale * (near * (flat + near * near) ** -1.5 - far * (flat + far * far) ** -1.5))

    return field


def horizontal_field(settings: ReedSettings) -> Callable[[float, float, float], float]:
    """The same for a reed lying along the files, shifted by ``offset_mm``: nothing at all exactly above it."""
    scale = 1e5 * settings.magnet.moment_am2 / REED_MM
    depth = settings.board_mm + settings.magnet.height_mm / 2 + 1.5
    half, offset = REED_MM / 2, settings.offset_mm

    def field(dx: float, dy: float, z: float) -> float:
        height = z + depth
        flat = dy * dy + height * height
        ahead, behind = dx - offset + half, dx - offset - half
        return float(scale * height * ((behind * behind + flat) ** -1.5 - (ahead * ahead + flat) ** -1.5))

    return field


def field_of(settings: ReedSettings) -> Callable[[float, float, float], float]:
    """The field function for the orientation that ``settings`` name."""
    return vertical_field(settings) if settings.orientation == "vertical" else horizontal_field(settings)


def bounds_of(field: Callable[[float, float, float], float]) -> list[float]:
    """For each whole mm d, the most mT that a magnet no nearer than d mm (seen from above) can do, at any height."""
    reach = int(REACH_MM)
    bounds = [0.0] * (reach + 2)
    worst = 0.0
    for mm in range(reach, -1, -1):
        for z in (0, 2, 4, 6, 8, 11, 14, 18, 23, 29, 36, 45):
            worst = max(worst, abs(field(mm, 0, z)), abs(field(0, mm, z)), abs(field(-mm, 0, z)))
        bounds[mm] = worst * 1.05
    return bounds


def thresholds(settings: ReedSettings, random: Random) -> tuple[list[float], list[float]]:
    """Pull-in and drop-out of 64 reeds as bought, mT: log-normal, nothing beyond two and a half deviations."""
    pull_in: list[float] = []
    drop_out: list[float] = []
    for _ in range(64):
        deviation = max(-2.5, min(2.5, random.gauss(0, 1)))
        threshold = settings.pull_in_mt * math.exp(settings.pull_in_spread * deviation)
        pull_in.append(threshold)
        drop_out.append(threshold * random.uniform(settings.drop_out_low, settings.drop_out_high))
    return pull_in, drop_out


def bounces(closed: bool, at_ns: int, cap_ms: float, random: Random) -> list[tuple[int, bool]]:
    """The edges of one contact change at ``at_ns``: the change itself, then what the blades do before they rest."""
    edges = [(at_ns, closed)]
    if not closed:
        if random.random() < 0.5:
            gap = at_ns + 1 + int(random.expovariate(1 / 20_000))
            edges += [(gap, True), (gap + 1 + int(random.random() * 50_000), False)]
        return edges
    end = at_ns + cap_ms * 1e6
    at = at_ns
    for _ in range(int(random.random() * 6)):
        opened = at + 1 + int(random.expovariate(1 / 80_000))
        at = opened + 1 + int(random.expovariate(1 / 60_000))
        if at > end:
            break
        edges += [(opened, False), (at, True)]
    return edges
