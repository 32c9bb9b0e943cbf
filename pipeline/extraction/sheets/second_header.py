"""Whether a page without a form holds a second entry: another header below the first one's essay."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from pipeline.extraction.freeform import is_prose, read_header
from pipeline.extraction.page_reading import written_lines
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.tokens import Line, box_of, text_of
from pipeline.extraction.values.text import plain, tidy

#: Lines of an essay before another header can follow, and lines of a header.
_LEAST_PROSE, _HEADER = 3, 6
#: A gap of so many times the height of a line parts two entries.
_GAP = 2.5
_NAME, _OTHERS = "student_name", ("school_name", "grade")


def has_second_header(roled: RoledPage) -> bool:
    """Whether the name of another child, with a school or a grade, stands below an essay and a gap."""
    if roled.profile is not None:
        return False
    lines = written_lines(roled.reading)
    if len(lines) <= _LEAST_PROSE + 1:
        return False
    gap = _GAP * median(box_of(line).height for line in lines)
    begins = [
        at
        for at in range(_LEAST_PROSE, len(lines) - 1)
        if box_of(lines[at]).y0 - box_of(lines[at - 1]).y1 >= gap
        and sum(is_prose(tidy(text_of(line))) for line in lines[:at]) >= _LEAST_PROSE
        and any(is_prose(tidy(text_of(line))) for line in lines[at:])
    ]
    others = {_named(lines[at : at + _HEADER]) for at in begins} - {None}
    return bool(others) and others != {_named(lines)}


def _named(lines: Sequence[Line]) -> str | None:
    """Return the child's name, as plain text, of lines that give it with a school or a grade; else None."""
    values = {name: reading.value for name, reading in read_header(lines).readings.items() if reading.value}
    name = values.get(_NAME)
    return plain(name) if name and any(other in values for other in _OTHERS) else None
