"""Prints drawn headers with the role of each piece, for eyes: `python -m lab.headers.show 20 --seed 3`."""

from __future__ import annotations

import argparse
from random import Random

from lab.headers.drawn import Piece
from lab.headers.header import draw_header
from pipeline.extraction.labelling.labeller import Role

_MARKS = {
    Role.NAME: "N",
    Role.SCHOOL: "S",
    Role.GRADE: "G",
    Role.ROOM: "R",
    Role.TEACHER: "T",
    Role.DATE: "D",
    Role.TITLE: "TI",
    Role.LABEL: "L",
    Role.CONTACT: "C",
    Role.PERSON: "P",
    Role.OTHER: "O",
    Role.BODY: "",
}


def shown(piece: Piece) -> str:
    """The piece in brackets behind the mark of its role; the essay's text as it is."""
    text = piece.text.replace("\u200b", "·").replace("\t", "→")
    if not text.strip(" ") or not _MARKS[piece.role]:
        return text
    return f"{_MARKS[piece.role]}[{text}]"


def main() -> None:
    """Print some headers."""
    parser = argparse.ArgumentParser(description="Print drawn headers with their roles.")
    parser.add_argument("count", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for number in range(given.count):
        header = draw_header(Random(given.seed * 100_003 + number))
        print(f"--- {number} {'spanish' if header.spanish else 'english'}")
        for line in header.lines:
            print("".join(shown(piece) for piece in line))


if __name__ == "__main__":
    main()
