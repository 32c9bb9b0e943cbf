"""Names of the public list, drawn by how common they are."""

from __future__ import annotations

import gzip
from bisect import bisect
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

from lab.samples.words.banks import words

_LIST = Path(__file__).resolve().parents[2] / "pipeline" / "spelling" / "us_names.txt.gz"
#: The share that the rarest surnames have: the others have whole multiples of it, first names any share.
_RAREST = 2182
#: Common surnames that are now and then given as first names.
_NO_GIVEN = frozenset(
    words(
        """
        adams alexander allen anderson baker barnes bell bennett brooks brown bryant butler campbell clark
        coleman collins cook cooper cox davis diaz edwards evans flores foster garcia gonzales gonzalez gray
        green griffin hall harris hayes henderson hernandez hill howard hughes jenkins johnson jones king
        lewis long lopez martin martinez miller moore morgan morris murphy nelson patterson perry peterson
        phillips powell price ramirez reed richardson roberts robinson rodriguez rogers ross russell sanchez
        sanders simmons smith stewart thomas thompson torres turner walker ward washington watson white
        williams wilson wood wright young
        """
    )
)


@cache
def _shares() -> tuple[tuple[list[str], list[float]], tuple[list[str], list[float]]]:
    """First names, then surnames, each with running sums of the weights."""
    first: list[tuple[str, float]] = []
    last: list[tuple[str, float]] = []
    for line in gzip.decompress(_LIST.read_bytes()).decode("ascii").splitlines():
        name, share = line.rsplit(" ", 1)
        weight = int(share) ** 0.7
        if len(name) < 2:
            continue
        if (int(share) % _RAREST <= int(share) // _RAREST and int(share) < 60 * _RAREST) or name in _NO_GIVEN:
            last.append((name, weight))
        else:
            first.append((name, weight))
    return _sums(first), _sums(last)


def _sums(rows: list[tuple[str, float]]) -> tuple[list[str], list[float]]:
    return [name for name, _ in rows], list(accumulate(weight for _, weight in rows))


def draw_public_given(rng: Random) -> str:
    """A first name as it is written."""
    return _draw(rng, _shares()[0]).capitalize()


def draw_public_family(rng: Random) -> str:
    """A surname, with the capital that stands inside some."""
    name = _draw(rng, _shares()[1])
    for start, written in (("mc", "Mc"), ("oconn", "O'Conn"), ("delacr", "De La Cr"), ("vande", "Van De")):
        if name.startswith(start) and len(name) > len(start) + 2:
            rest = name[len(start) :]
            return written + (rest.capitalize() if start == "mc" else rest)
    return name.capitalize()


def _draw(rng: Random, table: tuple[list[str], list[float]]) -> str:
    names, sums = table
    return names[min(bisect(sums, rng.random() * sums[-1]), len(names) - 1)]
