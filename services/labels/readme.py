"""The text that says whose data an export of labels holds."""

from __future__ import annotations

_TEXT = """\
ENTRIES OF CHILDREN, WITH THEIR NAMES

This folder holds {entries} entries of the season “{season}” as they came in, and what people found in them. It
is for the office's own machine: names, addresses, telephone numbers and essays of children are in it. Do not hand
it on, and delete it when it has been used. Entries that are erased later are still in this copy.

*.pdf         The pages of one entry each.
labels.json   The values of each entry, by the SHA-256 of its file.
policy.json   The rules of the season, without its schools.

    .venv/bin/python scripts/regression_check.py --pdf-dir THIS --output-dir build/labels
"""


def readme(season: str, entries: int) -> str:
    """Return the text for an export of so many entries."""
    return _TEXT.format(season=season, entries=entries)
