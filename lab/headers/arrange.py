"""Lays items out: one under the other, in a row, in groups, in columns, at the right margin."""

from __future__ import annotations

from random import Random

from lab.headers.drawn import Piece
from lab.headers.flow import Flow, joined, one, split_lines, text_of
from pipeline.extraction.labelling.labeller import Role

SEPARATORS = (
    *(
        ", ",
        ", ",
        ", ",
        ", ",
        ",",
        " - ",
        " - ",
        " - ",
        "-",
        " / ",
        " / ",
        "/",
        " | ",
        " | ",
        "|",
        " – ",
        " — ",
        "—",
    ),
    *(
        "   ",
        "    ",
        "     ",
        "  ",
        "  ",
        "        ",
        " ",
        " ",
        " ",
        " ",
        "\t",
        "\t",
        "\t\t",
        " ~ ",
        "; ",
        ";",
        " • ",
    ),
    *(
        ". ",
        ".",
        " * ",
        " ... ",
        "...",
        " -- ",
        "--",
        "_",
        ",  ",
        " : ",
        " :: ",
        "\u200b",
        " \u200b",
        "\u200b \u200b",
    ),
    *(" + ", " & ", " > ", " // ", "//", " \\ ", " . ", " · ", " = "),
)


def arranged(rng: Random, items: list[Flow]) -> Flow:
    """The items in some layout of lines."""
    return rng.choices((_stack, in_row, _groups, _columns, _spaced, _ends), weights=(33, 29, 26, 9, 3, 5))[0](
        rng, items
    )


def in_row(rng: Random, items: list[Flow]) -> Flow:
    """All on one line, mostly with the same mark between."""
    separator = rng.choice(SEPARATORS)
    if rng.random() < 0.85:
        return joined(items, separator)
    flow = list(items[0])
    for item in items[1:]:
        flow += one(rng.choice(SEPARATORS), Role.OTHER) + item
    return flow


def _stack(rng: Random, items: list[Flow]) -> Flow:
    ending = rng.choice(("",) * 12 + (",", ".", " ", ";"))
    return joined(items, ending + "\n")


def _spaced(rng: Random, items: list[Flow]) -> Flow:
    return joined(items, "\n\n")


def _groups(rng: Random, items: list[Flow]) -> Flow:
    """Lines of one to three items."""
    separator, lines, left = rng.choice(SEPARATORS), [], list(items)
    while left:
        size = rng.choice((1, 1, 2, 2, 3))
        lines.append(joined(left[:size], separator))
        left = left[size:]
    return joined(lines, "\n")


def _columns(rng: Random, items: list[Flow]) -> Flow:
    """Two items on a line, the second at a tab stop or far to the right."""
    gap = rng.choice(("\t", "\t\t", "\t\t\t\t", "\t\t\t\t\t\t", " " * rng.randint(8, 40)))
    pairs = [joined(items[at : at + 2], gap) for at in range(0, len(items), 2)]
    return joined(pairs, "\n")


def _ends(rng: Random, items: list[Flow]) -> Flow:
    """The first items on one line, the last alone below, or the first alone and the others in a row."""
    cut = rng.choice((1, len(items) - 1)) or 1
    separator = rng.choice(SEPARATORS)
    return joined([joined(items[:cut], separator), joined(items[cut:], separator)], "\n")


def shifted(rng: Random, flow: Flow, width: int) -> Flow:
    """The lines at the right margin or in the middle, by spaces or tabs."""
    by = rng.choice(("right", "right", "column", "column", "middle", "tabs"))
    lines = split_lines(flow)
    column = rng.randint(20, 50)
    tabs = "\t" * rng.randint(4, 7)
    moved = []
    for line in lines:
        length = len(text_of(line))
        room = max(0, width - length)
        before = {"right": " " * room, "middle": " " * (room // 2), "column": " " * column, "tabs": tabs}[by]
        moved.append(one(before, Role.OTHER) + line if line else line)
    flow = []
    for number, line in enumerate(moved):
        flow += ([Piece("\n", Role.OTHER)] if number else []) + line
    return flow
