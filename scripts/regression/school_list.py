"""The office's school list: CSV with the columns name, aliases (separated by `;`), city, district."""

from __future__ import annotations

import csv
from pathlib import Path

#: Canonical names with their aliases.
SchoolList = dict[str, list[str]]


def load_schools(path: Path) -> SchoolList:
    """Read the list."""
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row["name"]: [alias for alias in row["aliases"].split(";") if alias] for row in csv.DictReader(file)
        }


def spellings(schools: SchoolList) -> list[str]:
    """Return every name and alias of the list."""
    return [spelling for name, aliases in schools.items() for spelling in (name, *aliases)]
