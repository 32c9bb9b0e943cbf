"""Read the fields of one entry from its pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.extraction.arranged.answers import Answers, read_answers, read_more_answers
from pipeline.extraction.arranged.columns import may_be_columns
from pipeline.extraction.arranged.mail import without_mail
from pipeline.extraction.arranged.running_titles import running_titles, titles_on
from pipeline.extraction.body import Body, add_fixed, add_flowing, body_reading
from pipeline.extraction.combine import combined
from pipeline.extraction.freeform import read_header, with_choices
from pipeline.extraction.labelling.agreement import agreed
from pipeline.extraction.labelling.header import READ_FIELDS, read_edges, read_labelled
from pipeline.extraction.mailboxes import without_misread_mailbox
from pipeline.extraction.page_reading import PageReading, written_lines
from pipeline.extraction.page_roles import Role, RoledPage, roles_of
from pipeline.extraction.reflowed.header import read_reflowed
from pipeline.extraction.tokens import box_of
from pipeline.extraction.values.text import word_count
from pipeline.extraction.widgets import read_widgets
from pipeline.extraction.zones import read_zones
from pipeline.pages.page_model import PageContent
from pipeline.profiles import FieldKind, PrintedRole
from pipeline.profiles.declared import fields_of_kind, kind_of
from pipeline.schema import FIELD_NAMES, FieldReading

#: Highest confidence of a text of which it is not sure in which order its lines are read.
_UNSURE_ORDER = 0.75
_SILENT = (Role.INSTRUCTIONS, Role.BLANK_SHEET, Role.COVER_SHEET)


#: Type of functions that refine the readings of one page that was read by zones.
Improve = Callable[[RoledPage, dict[str, FieldReading]], dict[str, FieldReading]]


@dataclass(slots=True)
class _Entry:
    """Readings as they come, by field, and the running text."""

    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    #: How each page was read, for the report.
    ways: list[dict[str, Any]] = field(default_factory=list)
    #: What stands at the edge of several of its pages.
    titles: frozenset[str] = frozenset()
    #: Whether a page of it is a sheet of answers.
    answered: bool = False
    improve: Improve = field(default=lambda _, readings: readings)

    def add(self, given: dict[str, FieldReading]) -> None:
        for name, reading in given.items():
            self.readings.setdefault(name, []).append(reading)


def as_they_are(_: RoledPage, readings: dict[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the readings unchanged: the `Improve` that does nothing."""
    return readings


def read_entry(
    pages: Sequence[PageContent],
    roled_pages: Sequence[RoledPage] | None = None,
    improve: Improve = as_they_are,
) -> tuple[dict[str, FieldReading], dict[str, Any]]:
    """Return the fields found in an entry, and a report of how each page was read.

    `roled_pages` are the same pages, classified before. `improve` may refine the readings of a page that was
    read by zones.
    """
    entry = _Entry(improve=improve)
    roled_pages = roles_of(pages) if roled_pages is None else roled_pages
    entry.titles = running_titles(roled.reading for roled in roled_pages)
    for roled in roled_pages:
        way = "left out" if roled.role in _SILENT else _read_page(entry, roled)
        entry.ways.append(_way(roled, way))
    fields = {n: r for n, given in entry.readings.items() if (r := combined(kind_of(n), given)) is not None}
    fields = without_misread_mailbox(fields)
    _add_body(fields, entry.body)
    return {n: fields[n] for n in FIELD_NAMES if n in fields}, {"pages": entry.ways}


def _way(roled: RoledPage, way: str) -> dict[str, Any]:
    placement = roled.reading.placement
    return {
        "page": roled.page.number,
        "role": roled.role.value,
        "profile": roled.profile.key if roled.profile else None,
        "way": way,
        "form_score": round(placement.score, 2) if placement else None,
        "anchors": len(placement.anchors) if placement else 0,
    }


def _read_page(entry: _Entry, roled: RoledPage) -> str:
    reading = roled.reading
    if reading.page.widgets and roled.profile is not None:
        return _live(entry, roled)
    if roled.profile is not None and roled.role is Role.CONTINUATION:
        add_flowing(entry.body, reading)
        return "continuation"
    if roled.profile is not None and reading.fixed:
        entry.add(entry.improve(roled, read_zones(reading)))
        add_fixed(entry.body, reading)
        return "zones"
    if roled.profile is not None:
        flowed = read_reflowed(reading)
        entry.add(flowed.readings)
        add_flowing(entry.body, reading, flowed.bottom, flowed.used)
        return "labels"
    return _plain(entry, reading)


def _live(entry: _Entry, roled: RoledPage) -> str:
    assert roled.profile is not None
    given = read_widgets(roled.page, roled.profile, roled.reading)
    entry.add(given)
    if roled.reading.fixed and roled.page.source is not None:
        entry.add({n: r for n, r in read_zones(roled.reading).items() if n not in given})
        if "essay_text" not in given:
            add_fixed(entry.body, roled.reading)
    return "widgets"


def _plain(entry: _Entry, reading: PageReading) -> str:
    """Read a page without labels: header lines on the first text page of an entry, then the essay's text.

    Returns the method for the report."""
    entry.body.unsure = entry.body.unsure or may_be_columns(reading.page)
    if (answers := _answers(entry, reading)) is not None:
        return _add_answers(entry, answers)
    lines, mail = without_mail(written_lines(reading))
    around = [*(token for line in mail for token in line), *titles_on(reading, entry.titles)]
    if entry.body.in_reaction or (entry.body.essay and len(entry.body.essay) > 3):
        entry.add(read_edges(lines, [name for name in READ_FIELDS if name not in entry.readings]))
        add_flowing(entry.body, reading, used=around)
        return "continuation"
    prompts = [at.found.box.y0 for at in reading.of_role(PrintedRole.PROMPT)]
    above = [line for line in lines if not prompts or line[0].box.cy < min(prompts)]
    shown = with_choices(above if len(above) > 0 else lines)
    labelled = read_labelled(shown)
    entry.add(agreed(read_header(shown).readings, labelled))
    top = max((box_of(line).y1 for line in above[: labelled.lines]), default=1.0) - 1.0
    used = [*labelled.used, *around]
    add_flowing(entry.body, reading, min(top, 400.0) if labelled.used else 0.0, used)
    return "header lines"


def _answers(entry: _Entry, reading: PageReading) -> Answers | None:
    """Return the answers of a page, also of a later one of the same sheet."""
    return (read_more_answers if entry.answered else read_answers)(reading)


def _add_answers(entry: _Entry, answers: Answers) -> str:
    entry.answered = True
    entry.add({name: found for name, found in answers.readings.items() if name not in entry.readings})
    body = entry.body
    (body.reaction if body.in_reaction else body.essay).extend(answers.lead)
    body.essay += answers.essay
    body.reaction += answers.reaction
    body.in_reaction = body.in_reaction if answers.in_reaction is None else answers.in_reaction
    body.unsure = body.unsure or answers.unsure
    return "answers"


def _add_body(fields: dict[str, FieldReading], body: Body) -> None:
    texts = [(name, body.essay) for name in fields_of_kind(FieldKind.ESSAY)]
    texts += [(name, body.reaction) for name in fields_of_kind(FieldKind.REACTION)]
    for name, lines in texts:
        found = body_reading(lines, "zone of the text")
        if found is None:
            continue
        if body.unsure:
            found = found.model_copy(update={"confidence": min(found.confidence, _UNSURE_ORDER)})
        live = fields.get(name)
        if live is not None and live.value:
            live = live.model_copy(
                update={"value": f"{live.value}\n{found.value}", "evidence": [*live.evidence, *found.evidence]}
            )
        fields[name] = live or found
    essay = fields.get("essay_text")
    if essay is not None and essay.value:
        fields["word_count"] = essay.model_copy(
            update={"value": str(word_count(essay.value)), "method": "counted"}
        )
