"""The places to write in or tick on a blank form, and their labels."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pipeline.blanks.layout import BlankText, Layout, WordRun
from pipeline.extraction.values.text import plain_text, tidied
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind, fields_of_kind

#: Height (points) of one line of writing over a rule.
LINE = 17.0
#: Widest gap (points) between a label and its area beside it, and between one above or below.
_BESIDE, _ABOVE = 60.0, 20.0
#: Widest distance (points) between two rules of one area.
_STEP = 42.0
#: Least width and height (points) of an area beside or below a label without a rule.
_WIDE, _HIGH = 48.0, 11.0
#: A cell with more runs than this is a frame around several fields.
_FRAMED = 3
#: A rule under a text from this share of the page's width on underlines a heading.
_HEADING = 0.8
#: Free margin (points) at the edges of the page.
_MARGIN = 30.0


@dataclass(frozen=True, slots=True)
class Area:
    zone: Box
    #: The label: two texts if the form prints it in two languages. May be empty.
    labels: tuple[WordRun, ...]


def written_areas(
    text: BlankText, layout: Layout, taken: Sequence[WordRun], page: tuple[float, float]
) -> list[Area]:
    """Return the areas for writing, from top to bottom; runs in `taken` are labels of something else."""
    found: list[Area] = []
    for find in (_in_combs, _in_cells, _over_rules, _behind_colons):
        used = [*taken, *(run for area in found for run in area.labels)]
        free = [run for run in text.runs if not any(run is other for other in used)]
        found += list(find(free, text, layout, page, found))
    return sorted(found, key=lambda area: (round(area.zone.cy / 5), area.zone.x0))


def _in_combs(
    runs: Sequence[WordRun], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    for comb in layout.combs:
        if labels := labels_of(comb, runs):
            yield Area(rounded(comb), labels)


def _in_cells(
    runs: Sequence[WordRun], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    for cell in layout.cells:
        within = [run for run in text.runs if _holds(cell, run.box)]
        if any(_holds(cell, tick) for tick in (*layout.ticks, *text.ticks)) or len(within) > _FRAMED:
            continue
        if not within:
            if labels := labels_of(cell, runs):
                yield Area(_inner(cell), labels)
        elif any(within[0] is run for run in runs) and (zone := _rest_of(cell, within)) is not None:
            yield Area(zone, tuple(within[:2]))


def _rest_of(cell: Box, within: Sequence[WordRun]) -> Box | None:
    """Return the free part of a cell with text: below it or right of it, None where it is full."""
    right = max(run.box.x1 for run in within)
    bottom = max(run.box.y1 for run in within)
    if cell.y1 - bottom >= _HIGH and cell.height >= 2 * _HIGH:
        return _inner(cell._replace(y0=bottom))
    if cell.x1 - right >= _WIDE or cell.x1 - right >= 0.4 * cell.width:
        return _inner(cell._replace(x0=right + 2))
    return None


def _over_rules(
    runs: Sequence[WordRun], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    rules = [*(rule for rule in layout.rules if not _is_edge(rule, layout)), *text.rules]
    left = list(runs)
    for group in _stacked(sorted(rules, key=lambda rule: (rule.y0, rule.x0)), text.runs):
        label = _label_of_rule(group[0], left, page)
        if label is None:
            continue
        labels = in_both_languages(label, left)
        left = [run for run in left if not any(run is other for other in labels)]
        begin = label.box.x1 + 2 if _on(group[0], label.box) else group[0].x0
        top = max(group[0].y0 - LINE, _floor_over(group[0], text.runs, label))
        yield Area(rounded(Box(begin, top, max(rule.x1 for rule in group), group[-1].y1 + 1)), labels)


def _is_edge(rule: Box, layout: Layout) -> bool:
    """Whether a rule is the upper or lower edge of a cell or of a comb."""
    return any(
        min(abs(rule.cy - cell.y0), abs(rule.cy - cell.y1)) <= 3
        and min(rule.x1, cell.x1) - max(rule.x0, cell.x0) > 0.8 * min(cell.width, rule.width)
        for cell in (*layout.cells, *layout.combs)
    )


def _stacked(rules: Sequence[Box], runs: Sequence[WordRun]) -> list[list[Box]]:
    """Group rules below each other, with nothing printed between them, into areas of several lines."""
    groups: list[list[Box]] = []
    for rule in rules:
        for group in groups:
            last = group[-1]
            in_line = abs(rule.x1 - last.x1) <= 6 and rule.x0 <= last.x0 + 6 and rule.y0 - last.y0 <= _STEP
            between = last._replace(y0=last.y1 + 1, y1=rule.y0 + 1)
            row = (run.box for run in runs if _is_row(rule, run.box) and run.box.x0 < rule.x1)
            labelled = any(-4 <= rule.x0 - box.x1 <= _BESIDE or _on(rule, box) for box in row)
            labelled = labelled or any(_is_right_below(rule, run.box) for run in runs)
            if in_line and not labelled and not any(_touches(between, run.box) for run in runs):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return groups


def _label_of_rule(rule: Box, runs: Sequence[WordRun], page: tuple[float, float]) -> WordRun | None:
    """Return a rule's label: on its left end, before it, right below it, or else over it."""
    on = [run for run in runs if _on(rule, run.box) and run.box.x1 < rule.x1 - _WIDE / 2]
    if on:
        return None if rule.width > _HEADING * page[0] else max(on, key=lambda run: run.box.x1)
    line = rule._replace(y0=rule.y0 - LINE + 4, y1=rule.y1 + 3)
    if (label := _before(line, runs)) is not None:
        return label
    below = [run for run in runs if _is_right_below(rule, run.box)]
    above = [run for run in runs if 8 < rule.y0 - run.box.y1 <= _ABOVE + 12 and _starts_with(rule, run.box)]
    return next(iter(below or sorted(above, key=lambda run: -run.box.y1)), None)


def _on(rule: Box, box: Box) -> bool:
    """Whether a text stands on a rule that goes on behind it."""
    return rule.x0 + 4 < box.x1 < rule.x1 and _is_row(rule, box)


def _is_row(rule: Box, box: Box) -> bool:
    """Whether a text stands at the height of what is written on a rule."""
    return -4 <= rule.y0 - box.y1 <= 8


def _is_right_below(rule: Box, box: Box) -> bool:
    return -1 <= box.y0 - rule.y1 <= 8 and _starts_with(rule, box)


def _starts_with(rule: Box, box: Box) -> bool:
    return rule.x0 - 8 <= box.x0 <= rule.x0 + max(0.5 * rule.width, 8)


def _floor_over(rule: Box, runs: Sequence[WordRun], label: WordRun) -> float:
    """Return the lower edge of what is printed over a rule, 0 where nothing is."""
    over = [
        run.box.y1 for run in runs if run is not label and run.box.y1 <= rule.y0 - 6 and _shares(rule, run.box)
    ]
    return max([*over, label.box.y1 if label.box.y1 <= rule.y0 - 8 else 0.0, 0.0])


def _behind_colons(
    runs: Sequence[WordRun], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    """Yield areas for labels that end with a colon and have no rule or cell to write in."""
    printed = [*(run.box for run in text.runs), *(area.zone for area in found), *layout.ticks, *text.ticks]
    for run in runs:
        if not run.text.rstrip().endswith(":"):
            continue
        height = max(run.box.height + 5, LINE)
        line = Box(run.box.x1 + 2, run.box.y1 + 3 - height, page[0] - _MARGIN, run.box.y1 + 3)
        stops = [box.x0 for box in printed if box.x0 >= run.box.x1 and _same_row(line, box)]
        zone = line._replace(x1=min([line.x1, *(stop - 3 for stop in stops)]))
        if zone.width >= _WIDE:
            yield Area(rounded(zone), (run,))


def labels_of(zone: Box, runs: Sequence[WordRun]) -> tuple[WordRun, ...]:
    """Return the text left of an area, else right above it, in both languages if there are two."""
    label = _before(zone, runs)
    if label is None:
        above = [run for run in runs if -2 <= zone.y0 - run.box.y1 <= _ABOVE and _shares(zone, run.box)]
        label = max(above, key=lambda run: (run.box.y1, -run.box.x0), default=None)
    return in_both_languages(label, runs) if label else ()


def in_both_languages(label: WordRun, runs: Sequence[WordRun]) -> tuple[WordRun, ...]:
    """Return a label with the text beside, above or below it that says the same in the other language."""
    spanish = bool(SPANISH.search(label.text))
    for run in runs:
        if run is label or bool(SPANISH.search(run.text)) == spanish or run.size > 1.3 * label.size:
            continue
        gap = max(run.box.y0 - label.box.y1, label.box.y0 - run.box.y1)
        stacked = -3 <= gap <= 4 and abs(run.box.x0 - label.box.x0) <= 6
        beside = abs(run.box.cy - label.box.cy) <= 3 and 0 <= run.box.x0 - label.box.x1 <= 14
        if stacked or beside:
            return (run, label) if spanish else (label, run)
    return (label,)


def _before(line: Box, runs: Sequence[WordRun]) -> WordRun | None:
    beside = [run for run in runs if -4 <= line.x0 - run.box.x1 <= _BESIDE and _same_row(line, run.box)]
    return max(beside, key=lambda run: run.box.x1, default=None)


def _same_row(line: Box, box: Box) -> bool:
    return min(line.y1, box.y1) - max(line.y0, box.y0) > 0.4 * min(line.height, box.height)


def _shares(zone: Box, box: Box) -> bool:
    return min(zone.x1, box.x1) - max(zone.x0, box.x0) > 0.3 * min(zone.width, box.width)


def _touches(one: Box, other: Box) -> bool:
    return min(one.shared(other)) > 0


def _holds(cell: Box, box: Box) -> bool:
    return cell.x0 - 2 <= box.cx <= cell.x1 + 2 and cell.y0 - 2 <= box.cy <= cell.y1 + 2


def _inner(cell: Box) -> Box:
    return rounded(Box(cell.x0 + 1, cell.y0 + 1, cell.x1 - 1, cell.y1 - 1))


def rounded(box: Box) -> Box:
    return Box(*(round(value, 1) for value in box))


# Boxes to tick on a blank form: their options, and which boxes belong together.


#: Widest gap (points) between a box and its option, between rows of boxes, and between boxes of one row.
_BESIDE_TICK, _ROW, _APART = 24.0, 32.0, 230.0
#: Widest gap between a label and the first box at its right, and below it.
_LABEL, _BELOW = 170.0, 26.0


@dataclass(frozen=True, slots=True)
class Ticked:
    """A box with the text of its option."""

    mark: Box
    option: WordRun


@dataclass(slots=True)
class Choice:
    """Options of which one is ticked."""

    options: list[Ticked]
    label: WordRun | None = None
    rows: list[float] = field(default_factory=list)


def choices_of(ticks: Sequence[Box], runs: Sequence[WordRun], cells: Sequence[Box] = ()) -> list[Choice]:
    """Group boxes with their options; boxes without a text are left out. Boxes in one cell belong together."""
    ticked = _ticked(ticks, runs)
    options = [one.option for one in ticked]
    others = [run for run in runs if not any(run is option for option in options)]
    choices: list[Choice] = []
    for cell in cells:
        within = [one for one in ticked if _cell_holds(cell, one.mark)]
        if len(within) >= 2:
            choices += _grouped(within, [run for run in others if _cell_holds(cell, run.box)])
            ticked = [one for one in ticked if one not in within]
    return choices + _grouped(ticked, others)


def _cell_holds(cell: Box, box: Box) -> bool:
    return cell.x0 <= box.cx <= cell.x1 and cell.y0 <= box.cy <= cell.y1


def _grouped(ticked: Sequence[Ticked], others: Sequence[WordRun]) -> list[Choice]:
    choices: list[Choice] = []
    for row in _rows(ticked):
        for part in _parts(row, others):
            label = _at_left(part[0].mark, others)
            above = _column_above(part, choices) if label is None else None
            if above is not None:
                above.options += part
                above.rows.append(part[0].mark.cy)
            else:
                label = label or _right_above(part[0].mark, others)
                choices.append(Choice(part, label, [part[0].mark.cy]))
    return choices


def _ticked(ticks: Sequence[Box], runs: Sequence[WordRun]) -> list[Ticked]:
    """Give each box the text at its right, or at its left if the boxes follow their options."""
    right = {tick: _beside(tick, runs) for tick in ticks}
    left = {tick: _beside(tick, runs, before=True) for tick in ticks}
    follows = sum(option is not None for option in left.values()) > sum(
        option is not None for option in right.values()
    )
    chosen = left if follows else right
    return [Ticked(tick, option) for tick in ticks if (option := chosen[tick]) is not None]


def _beside(tick: Box, runs: Sequence[WordRun], before: bool = False) -> WordRun | None:
    near = []
    for run in runs:
        gap = tick.x0 - run.box.x1 if before else run.box.x0 - tick.x1
        if -3 <= gap <= _BESIDE_TICK and abs(run.box.cy - tick.cy) <= 8:
            near.append((gap, run))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _rows(ticked: Sequence[Ticked]) -> list[list[Ticked]]:
    rows: list[list[Ticked]] = []
    for one in sorted(ticked, key=lambda one: one.mark.cy):
        if rows and abs(rows[-1][0].mark.cy - one.mark.cy) <= 6:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda one: one.mark.x0) for row in rows]


def _parts(row: Sequence[Ticked], others: Sequence[WordRun]) -> list[list[Ticked]]:
    """Divide a row at a text or a wide gap between two options."""
    parts = [[row[0]]]
    for one in row[1:]:
        last = parts[-1][-1]
        between = [
            run for run in others if last.mark.x1 < run.box.cx < one.mark.x0 and abs(run.box.cy - one.mark.cy) <= 8
        ]
        if between or one.mark.x0 - last.option.box.x1 > _APART:
            parts.append([one])
        else:
            parts[-1].append(one)
    return parts


def _at_left(mark: Box, others: Sequence[WordRun]) -> WordRun | None:
    near = [run for run in others if -3 <= mark.x0 - run.box.x1 <= _LABEL and abs(run.box.cy - mark.cy) <= 9]
    return max(near, key=lambda run: run.box.x1, default=None)


def _right_above(mark: Box, others: Sequence[WordRun]) -> WordRun | None:
    near = [
        run
        for run in others
        if -2 <= mark.y0 - run.box.y1 <= _BELOW and run.box.x0 <= mark.x1 + 12 and run.box.x1 >= mark.x0 - 12
    ]
    return max(near, key=lambda run: run.box.y1, default=None)


def _column_above(part: Sequence[Ticked], choices: Sequence[Choice]) -> Choice | None:
    """Return the choice above that a row of boxes without a label continues."""
    for choice in reversed(choices):
        aligned = any(abs(one.mark.x0 - part[0].mark.x0) <= 8 for one in choice.options)
        if aligned and 0 < part[0].mark.cy - choice.rows[-1] <= _ROW:
            return choice
    return None


# What a field's label says about it: its kind, its languages, whether it is required, and a key for it.


_WORDS = Path(__file__).with_name("label_words.toml")
#: Words and signs that mark a text as Spanish.
SPANISH = re.compile(
    r"[áéíóúñ¿¡]|\b(?:de|del|la|el|los|las|su|y|nombre|fecha|edad|correo|escuela|grado|cual|que|por|ciudad|domicilio|calle|talla|padre|madre|alergias|medicinas|firma|sexo)\b",
    re.IGNORECASE,
)
#: Longest key, and longest label of a field.
_LONGEST_KEY, _LONGEST_LABEL = 40, 120
#: What separates the two languages of a label.
STROKE = re.compile(r"(?<!\s)\s++/\s*+|/\s++")
_NO_KEY = re.compile(r"[^a-z0-9]+")
#: Kinds whose field has the same key in every form, so that lists, statistics and school pages know it.
_SHARED = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.EMAIL, FieldKind.PHONE, FieldKind.ESSAY)


@dataclass(frozen=True, slots=True)
class LabelFacts:
    en: str
    es: str
    kind: FieldKind
    required: bool


def label_facts(label: str) -> LabelFacts:
    """Return what a label says; a text in one language is taken for both."""
    required = "*" in label
    bare = tidied(label.replace("*", " ")).strip(" :.-–_")
    first, *rest = (part.strip(" :.") for part in STROKE.split(bare, maxsplit=1))
    if not rest or not first or not rest[0]:
        en = es = bare
    elif SPANISH.search(first) and not SPANISH.search(rest[0]):
        en, es = rest[0], first
    else:
        en, es = first, rest[0]
    return LabelFacts(en[:_LONGEST_LABEL], es[:_LONGEST_LABEL], kind_of_label(bare), required)


def kind_of_label(label: str) -> FieldKind:
    """Return the likeliest kind of a field with this label; text if no word tells."""
    words = f" {re.sub(r'[^a-z0-9-]+', ' ', plain_text(label))} "
    return next(
        (kind for kind, known in _vocabulary() if any(f" {one} " in words for one in known)), FieldKind.TEXT
    )


def key_for(kind: FieldKind, label: str, taken: Collection[str]) -> str:
    """Return a free key: the shared one of the kind for its first field, else one made of the label."""
    shared = fields_of_kind(kind)[:1] if kind in _SHARED else ()
    if shared and shared[0] not in taken:
        return shared[0]
    base = _NO_KEY.sub("_", plain_text(label)).strip("_")[:_LONGEST_KEY].strip("_") or "field"
    base = base if base[0].isalpha() else f"field_{base}"[:_LONGEST_KEY]
    return next(key for key in (base, *(f"{base}_{n}" for n in range(2, 1000))) if key not in taken)


@cache
def _vocabulary() -> tuple[tuple[FieldKind, tuple[str, ...]], ...]:
    known = {kind.value for kind in FieldKind}
    parsed = tomllib.loads(_WORDS.read_text(encoding="utf-8"))["kind"]
    return tuple((FieldKind(one["name"]), tuple(one["words"])) for one in parsed if one["name"] in known)
