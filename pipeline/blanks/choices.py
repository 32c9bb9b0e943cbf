"""Boxes to tick on a blank form: which options they stand for, and which belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.blanks.runs import Run
from pipeline.pages.page_model import Box

#: Widest gap (points) between a box and its option, between rows of boxes, and between boxes of one row.
_BESIDE, _ROW, _APART = 24.0, 32.0, 230.0
#: Widest gap between a label and the first box at its right, and below it.
_LABEL, _BELOW = 170.0, 26.0


@dataclass(frozen=True, slots=True)
class Ticked:
    """A box with the text of its option."""

    mark: Box
    option: Run


@dataclass(slots=True)
class Choice:
    """Options of which one is ticked."""

    options: list[Ticked]
    label: Run | None = None
    rows: list[float] = field(default_factory=list)


def choices_of(ticks: Sequence[Box], runs: Sequence[Run], cells: Sequence[Box] = ()) -> list[Choice]:
    """Group boxes with their options; boxes without a text are left out. A cell holds its own together."""
    ticked = _ticked(ticks, runs)
    options = [one.option for one in ticked]
    others = [run for run in runs if not any(run is option for option in options)]
    choices: list[Choice] = []
    for cell in cells:
        within = [one for one in ticked if _holds(cell, one.mark)]
        if len(within) >= 2:
            choices += _grouped(within, [run for run in others if _holds(cell, run.box)])
            ticked = [one for one in ticked if one not in within]
    return choices + _grouped(ticked, others)


def _holds(cell: Box, box: Box) -> bool:
    return cell.x0 <= box.cx <= cell.x1 and cell.y0 <= box.cy <= cell.y1


def _grouped(ticked: Sequence[Ticked], others: Sequence[Run]) -> list[Choice]:
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


def _ticked(ticks: Sequence[Box], runs: Sequence[Run]) -> list[Ticked]:
    """Give each box the text at its right, or the one at its left where boxes follow their options."""
    right = {tick: _beside(tick, runs) for tick in ticks}
    left = {tick: _beside(tick, runs, before=True) for tick in ticks}
    follows = sum(option is not None for option in left.values()) > sum(
        option is not None for option in right.values()
    )
    chosen = left if follows else right
    return [Ticked(tick, option) for tick in ticks if (option := chosen[tick]) is not None]


def _beside(tick: Box, runs: Sequence[Run], before: bool = False) -> Run | None:
    near = []
    for run in runs:
        gap = tick.x0 - run.box.x1 if before else run.box.x0 - tick.x1
        if -3 <= gap <= _BESIDE and abs(run.box.cy - tick.cy) <= 8:
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


def _parts(row: Sequence[Ticked], others: Sequence[Run]) -> list[list[Ticked]]:
    """Divide a row where another text or a wide gap stands between two options."""
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


def _at_left(mark: Box, others: Sequence[Run]) -> Run | None:
    near = [run for run in others if -3 <= mark.x0 - run.box.x1 <= _LABEL and abs(run.box.cy - mark.cy) <= 9]
    return max(near, key=lambda run: run.box.x1, default=None)


def _right_above(mark: Box, others: Sequence[Run]) -> Run | None:
    near = [
        run
        for run in others
        if -2 <= mark.y0 - run.box.y1 <= _BELOW and run.box.x0 <= mark.x1 + 12 and run.box.x1 >= mark.x0 - 12
    ]
    return max(near, key=lambda run: run.box.y1, default=None)


def _column_above(part: Sequence[Ticked], choices: Sequence[Choice]) -> Choice | None:
    """Return the choice that a row of boxes without a label of its own goes on."""
    for choice in reversed(choices):
        aligned = any(abs(one.mark.x0 - part[0].mark.x0) <= 8 for one in choice.options)
        if aligned and 0 < part[0].mark.cy - choice.rows[-1] <= _ROW:
            return choice
    return None
