"""Builds the list of names that the spelling of recognised names is judged by, from two public sources.

`--births`: the folder of yobYYYY.txt files of the Social Security Administration's national data (name, sex,
births a year). `--surnames`: the Census Bureau's dist.all.last of 1990 (name, percent). Both are public domain.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pipeline.spelling.prior import letters

#: Fathers of today's pupils were born from about here on.
FIRST_YEAR = 1955
#: Names rarer than so many births are left out.
FEWEST_BIRTHS = 60
#: Percent that the Census gives to the rarest surnames.
RAREST = 0.0005
#: Shares are kept as whole numbers in so many.
UNIT = 1_000_000_000


def shares(births: Path, surnames: Path) -> dict[str, float]:
    """Each name's share of all first names and of all surnames, averaged."""
    first: Counter[str] = Counter()
    for path in sorted(births.glob("yob*.txt")):
        if int(path.stem[3:]) >= FIRST_YEAR:
            for line in path.read_text(encoding="ascii").splitlines():
                name, _, count = line.split(",")
                first[letters(name)] += int(count)
    first = Counter({name: count for name, count in first.items() if count >= FEWEST_BIRTHS})
    last = surname_percents(surnames)
    both: defaultdict[str, float] = defaultdict(float)
    both_lists: tuple[Mapping[str, float], ...] = (first, last)
    for names in both_lists:
        total = sum(names.values())
        for name, share in names.items():
            both[name] += 0.5 * share / total
    return both


def surname_percents(path: Path) -> dict[str, float]:
    """Percent of people with each surname (letters only), from a file of the Census Bureau."""
    last: defaultdict[str, float] = defaultdict(float)
    for line in path.read_text(encoding="ascii").splitlines():
        name, percent, *_ = line.split()
        last[letters(name)] += max(float(percent), RAREST)
    return last


def main() -> None:
    """Read the two sources, write the list."""
    parser = argparse.ArgumentParser(description="Build the list of names.")
    parser.add_argument("--births", type=Path, required=True)
    parser.add_argument("--surnames", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("pipeline/spelling/us_names.txt.gz"))
    given = parser.parse_args()
    lines = [
        f"{name} {max(round(share * UNIT), 1)}"
        for name, share in sorted(shares(given.births, given.surnames).items())
    ]
    given.out.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(lines)} names in {given.out}")


if __name__ == "__main__":
    main()
