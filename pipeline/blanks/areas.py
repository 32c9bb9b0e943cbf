"""Where something is to be written on a blank form, each area with the texts that label it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.blanks.labels import SPANISH
from pipeline.blanks.layout import Layout
from pipeline.blanks.runs import BlankText, Run
from pipeline.pages.page_model import Box

#: Height (points) of one line of writing over a rule.
LINE = 17.0
#: Widest gap (points) between a label and its area beside it, and between one above or below.
_BESIDE, _ABOVE = 60.0, 20.0
#: Rules of one area are at most so far apart.
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
    """A place to write in."""

    zone: Box
    #: The label; where it stands there in two languages, two texts. May be empty.
    labels: tuple[Run, ...]


def written_areas(text: BlankText, layout: Layout, taken: Sequence[Run], page: tuple[float, float]) -> list[Area]:
    """Return the areas of text, from top to bottom; runs in `taken` are labels of something else."""
    found: list[Area] = []
    for find in (_in_combs, _in_cells, _over_rules, _behind_colons):
        used = [*taken, *(run for area in found for run in area.labels)]
        free = [run for run in text.runs if not any(run is other for other in used)]
        found += list(find(free, text, layout, page, found))
    return sorted(found, key=lambda area: (round(area.zone.cy / 5), area.zone.x0))


def _in_combs(
    runs: Sequence[Run], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    for comb in layout.combs:
        if labels := labels_of(comb, runs):
            yield Area(_rounded(comb), labels)


def _in_cells(
    runs: Sequence[Run], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
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


def _rest_of(cell: Box, within: Sequence[Run]) -> Box | None:
    """Return the free part of a cell with text: below it or right of it, None where it is full."""
    right = max(run.box.x1 for run in within)
    bottom = max(run.box.y1 for run in within)
    if cell.y1 - bottom >= _HIGH and cell.height >= 2 * _HIGH:
        return _inner(cell._replace(y0=bottom))
    if cell.x1 - right >= _WIDE or cell.x1 - right >= 0.4 * cell.width:
        return _inner(cell._replace(x0=right + 2))
    return None


def _over_rules(
    runs: Sequence[Run], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
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
        yield Area(_rounded(Box(begin, top, max(rule.x1 for rule in group), group[-1].y1 + 1)), labels)


def _is_edge(rule: Box, layout: Layout) -> bool:
    """Whether a rule is the upper or lower edge of a cell or of a comb."""
    return any(
        min(abs(rule.cy - cell.y0), abs(rule.cy - cell.y1)) <= 3
        and min(rule.x1, cell.x1) - max(rule.x0, cell.x0) > 0.8 * min(cell.width, rule.width)
        for cell in (*layout.cells, *layout.combs)
    )


def _stacked(rules: Sequence[Box], runs: Sequence[Run]) -> list[list[Box]]:
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


def _label_of_rule(rule: Box, runs: Sequence[Run], page: tuple[float, float]) -> Run | None:
    """Return the label: on the rule at its left, before it, right below it, or else over it."""
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
    """Whether a text labels a rule from below."""
    return -1 <= box.y0 - rule.y1 <= 8 and _starts_with(rule, box)


def _starts_with(rule: Box, box: Box) -> bool:
    return rule.x0 - 8 <= box.x0 <= rule.x0 + max(0.5 * rule.width, 8)


def _floor_over(rule: Box, runs: Sequence[Run], label: Run) -> float:
    """Return the lower edge of what is printed over a rule, 0 where nothing is."""
    over = [
        run.box.y1 for run in runs if run is not label and run.box.y1 <= rule.y0 - 6 and _shares(rule, run.box)
    ]
    return max([*over, label.box.y1 if label.box.y1 <= rule.y0 - 8 else 0.0, 0.0])


def _behind_colons(
    runs: Sequence[Run], text: BlankText, layout: Layout, page: tuple[float, float], found: Sequence[Area]
) -> Iterator[Area]:
    """Yield areas of labels that end with a colon and have nothing drawn to write on or in."""
    printed = [*(run.box for run in text.runs), *(area.zone for area in found), *layout.ticks, *text.ticks]
    for run in runs:
        if not run.text.rstrip().endswith(":"):
            continue
        height = max(run.box.height + 5, LINE)
        line = Box(run.box.x1 + 2, run.box.y1 + 3 - height, page[0] - _MARGIN, run.box.y1 + 3)
        stops = [box.x0 for box in printed if box.x0 >= run.box.x1 and _same_row(line, box)]
        zone = line._replace(x1=min([line.x1, *(stop - 3 for stop in stops)]))
        if zone.width >= _WIDE:
            yield Area(_rounded(zone), (run,))


def labels_of(zone: Box, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the text beside an area at its left, else right above it, in both languages where there are two."""
    label = _before(zone, runs)
    if label is None:
        above = [run for run in runs if -2 <= zone.y0 - run.box.y1 <= _ABOVE and _shares(zone, run.box)]
        label = max(above, key=lambda run: (run.box.y1, -run.box.x0), default=None)
    return in_both_languages(label, runs) if label else ()


def in_both_languages(label: Run, runs: Sequence[Run]) -> tuple[Run, ...]:
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


def _before(line: Box, runs: Sequence[Run]) -> Run | None:
    beside = [run for run in runs if -4 <= line.x0 - run.box.x1 <= _BESIDE and _same_row(line, run.box)]
    return max(beside, key=lambda run: run.box.x1, default=None)


def _same_row(line: Box, box: Box) -> bool:
    return min(line.y1, box.y1) - max(line.y0, box.y0) > 0.4 * min(line.height, box.height)


def _shares(zone: Box, box: Box) -> bool:
    return min(zone.x1, box.x1) - max(zone.x0, box.x0) > 0.3 * min(zone.width, box.width)


def _touches(one: Box, other: Box) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    return across > 0 and min(one.y1, other.y1) - max(one.y0, other.y0) > 0


def _holds(cell: Box, box: Box) -> bool:
    return cell.x0 - 2 <= box.cx <= cell.x1 + 2 and cell.y0 - 2 <= box.cy <= cell.y1 + 2


def _inner(cell: Box) -> Box:
    return _rounded(Box(cell.x0 + 1, cell.y0 + 1, cell.x1 - 1, cell.y1 - 1))


def _rounded(box: Box) -> Box:
    return Box(*(round(value, 1) for value in box))
