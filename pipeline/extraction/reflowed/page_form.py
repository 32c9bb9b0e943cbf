"""The header of a re-flowed page: where it ends, which form it is of, and its cells as lines of text."""

from __future__ import annotations

from pipeline.extraction.placement import best_placement
from pipeline.extraction.printed import Found, LineText, find_glued, openings_of
from pipeline.extraction.reflowed.cells import cells_of
from pipeline.profiles import HEADER_KINDS, Printed, PrintedRole, Profile

#: A value is at most this far (points) below the lowest label of a header.
HANGING = 40.0


def header_bottom(profile: Profile, found: dict[str, list[Found]]) -> float | None:
    """Return the lower edge (points) of a re-flowed page's header, None for a page that shows no header.

    The essay's prompt ends it; without one, the lowest label of a short field, as far as values can hang below.
    """
    below, labels = [], []
    for printed in profile.printed:
        boxes = [place.box for text in printed.texts for place in found.get(text, ())]
        if printed.role is PrintedRole.PROMPT:
            below += [box.y0 for box in boxes]
        elif printed.role is PrintedRole.LABEL and printed.field in profile.fields_of_kind(*HEADER_KINDS):
            labels += [box.y1 for box in boxes]
    return min(below) if below else max(labels) + HANGING if labels else None


def likeliest_form(candidates: list[Profile], lines: list[LineText], found: dict[str, list[Found]]) -> Profile:
    """Return the form of a re-flowed page: the one whose title is there to the letter, or that asks for the most.

    The titles of two years differ in a digit, and short labels are no anchors of a layout.
    """
    exact = {text for text, places in found.items() if any(place.likeness == 100.0 for place in places)}
    titled = [p for p in candidates if exact.intersection(_titles(p))] or candidates
    asked = fields_asked(titled, lines, found)
    most = [form for form, fields in zip(titled, asked, strict=True) if fields == max(asked)]
    return best_placement(most, found).profile


def fields_asked(forms: list[Profile], lines: list[LineText], found: dict[str, list[Found]]) -> list[int]:
    """Return for each form the number of its fields whose labels are there, short ones as openings of lines.

    An opening may be glued to its value ("GradeThird").
    """
    short = {text for form in forms for label in _labels(form) for text in label.texts} - found.keys()
    glued = {text for text in short if find_glued(enumerate(lines), text)}
    there = found.keys() | openings_of(lines, short) | glued
    return [len({label.field for label in _labels(form) if there.intersection(label.texts)}) for form in forms]


def _titles(form: Profile) -> list[str]:
    return [text for p in form.printed if p.role is PrintedRole.TITLE and p.at for text in p.texts]


def _labels(form: Profile) -> list[Printed]:
    return [p for p in form.printed if p.role is PrintedRole.LABEL]


def with_cells(lines: list[LineText], bottom: float) -> list[LineText]:
    """Return the lines of a re-flowed page, each cell of the header above `bottom` as one of them."""
    above = [token for line in lines for token in line.tokens if token.box.cy < bottom]
    rest = [[token for token in line.tokens if token.box.cy >= bottom] for line in lines]
    return [LineText(tokens) for tokens in [*cells_of(above), *rest] if tokens]
