"""Whether this week leaves the band of the month before it, and who is to blame. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

#: What entries are told apart by.
Kind = Literal["form", "school", "provider"]
KINDS: tuple[Kind, ...] = ("form", "school", "provider")
#: Half the width of the band in standard errors: of all entries, and of one of many forms, schools or recognisers.
WIDTH_OF_ALL, WIDTH_OF_ONE = 3.0, 3.5
#: Fewer entries of a week, or of a month, say nothing.
LEAST_WEEK, LEAST_MONTH = 20, 60


@dataclass(frozen=True, slots=True)
class Counted:
    """Entries with the same form, school and recogniser."""

    form: str
    school: str
    provider: str
    entries: int
    #: Those that passed unseen.
    passed: int


@dataclass(frozen=True, slots=True)
class Left:
    """A share of this week outside its band."""

    #: None for all entries.
    kind: Kind | None
    key: str
    share: float
    entries: int
    #: The month's share and the band around it for as many entries.
    usual: float
    low: float
    high: float

    @property
    def distance(self) -> float:
        """How far outside, in entries."""
        return self.entries * max(self.low - self.share, self.share - self.high)


def leaves(week: tuple[int, int], month: tuple[int, int], width: float) -> tuple[float, float] | None:
    """Return the band where the week's share is outside it, else None. Both are (entries, passed).

    The band is the month's share and `width` standard errors of the difference between two shares on either side.
    The share in the error has a success and a failure added, so that a month without any is no band of width 0.
    """
    if week[0] < LEAST_WEEK or month[0] < LEAST_MONTH:
        return None
    usual, share = month[1] / month[0], week[1] / week[0]
    spread = (month[1] + 1) / (month[0] + 2)
    half = width * math.sqrt(spread * (1 - spread) * (1 / week[0] + 1 / month[0]))
    low, high = max(0.0, usual - half), min(1.0, usual + half)
    return None if low <= share <= high else (low, high)


def drift(week: Iterable[Counted], month: Iterable[Counted]) -> list[Left]:
    """Return what has left its band: all entries first, then those to blame, the farthest outside first."""
    now, before = _tallied(week), _tallied(month)
    found = []
    for place, counted in now.items():
        usual = before.get(place, (0, 0))
        band = leaves(counted, usual, WIDTH_OF_ALL if place[0] is None else WIDTH_OF_ONE)
        if band is not None:
            share, of_month = counted[1] / counted[0], usual[1] / usual[0]
            found.append(Left(*place, share, counted[0], of_month, *band))
    return sorted(found, key=lambda left: (left.kind is not None, -left.distance, str(left.kind), left.key))


def _tallied(rows: Iterable[Counted]) -> Mapping[tuple[Kind | None, str], tuple[int, int]]:
    found: dict[tuple[Kind | None, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for row in rows:
        places: list[tuple[Kind | None, str]] = [(None, ""), *((kind, getattr(row, kind)) for kind in KINDS)]
        for place in places:
            entries, passed = found[place]
            found[place] = entries + row.entries, passed + row.passed
    return found
