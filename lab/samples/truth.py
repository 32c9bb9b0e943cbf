"""What a drawn entry truly says: collected while it is drawn, written as its label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, union
from lab.samples.entry import Entry
from lab.samples.words.schools import accepted

#: The twelve fields that labels speak of.
FIELDS = (
    "student_name",
    "school_name",
    "grade",
    "teacher_name",
    "city_or_location",
    "father_figure_name",
    "phone",
    "email",
    "writing_about",
    "essay_text",
    "word_count",
    "parent_reaction",
)
UnitBox = tuple[float, float, float, float]


@dataclass
class Truth:
    """The truth of one entry. Only what a layout really put on its pages is in it."""

    page_start: int = 1
    #: None where how a reader paginates is its own affair (Word).
    page_end: int | None = 1
    doc_class: str = "SINGLE_TYPED"
    typed: bool = True
    #: Share by which a reader's word count may be off.
    count_slack: float = 0.03
    #: Words beside the essay that may or may not be counted (title, signature).
    optional_words: int = 0
    #: Words of the essay that may be missed, because they were struck out and written anew.
    miscounted_words: int = 0
    hazards: list[str] = field(default_factory=list)
    #: Families of damage to the picture or its text layer.
    damage: list[str] = field(default_factory=list)
    #: Whether no machine can know what the page says, so that a person has to see it.
    must_wait: bool = False
    #: The hand of the writer, if any of it is handwriting.
    handwriting_font: str | None = None
    values: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(FIELDS))
    accepted: dict[str, list[str]] = field(default_factory=dict)
    boxes: dict[str, tuple[int, UnitBox]] = field(default_factory=dict)

    def put(self, name: str, value: str | None, canvas: Canvas, rects: list[pymupdf.Rect]) -> None:
        """A value that now stands on a page at these places."""
        self.values[name] = value
        around = union(rects)
        if value is not None and around is not None:
            self.boxes[name] = (
                canvas.number,
                (
                    around.x0 / canvas.width,
                    around.y0 / canvas.height,
                    around.x1 / canvas.width,
                    around.y1 / canvas.height,
                ),
            )

    def put_school(self, entry: Entry, canvas: Canvas, rects: list[pymupdf.Rect]) -> None:
        """The school, with every way of writing it that counts as right."""
        self.put("school_name", entry.school_written, canvas, rects)
        self.accept_school(entry)

    def accept_school(self, entry: Entry) -> None:
        """Count the canonical name and the aliases as right too."""
        if entry.school_written:
            self.accepted["school_name"] = accepted(entry.school, entry.school_written)

    def put_essay(self, entry: Entry, canvas: Canvas, rects: list[pymupdf.Rect]) -> None:
        """The essay; on several pages the box is that of its first."""
        self.put("essay_text", "\n".join(entry.essay) or None, canvas, rects)

    def essay_with_title(self, rng: Random, entry: Entry) -> list[str]:
        """The paragraphs as the writer puts them into a form's essay field: some under a title."""
        if rng.random() > 0.15:
            return entry.essay
        self.optional_words += len(entry.title.split())
        self.hazards.append("title_in_essay_field")
        return [entry.title, *entry.essay]

    def move_boxes(self, page: int, move: Callable[[UnitBox], UnitBox]) -> None:
        """Carry the boxes of a page along with a damage that shifts its picture."""
        for name, (number, box) in list(self.boxes.items()):
            if number == page:
                self.boxes[name] = (number, move(box))

    @property
    def complete(self) -> bool:
        """Whether the pages hold name, school and grade."""
        return all(self.values[name] for name in ("student_name", "school_name", "grade"))

    def label(self, part: str | None) -> dict[str, Any]:
        """The label as it is written to JSON; samples of no part say nothing of parts."""
        words = len((self.values["essay_text"] or "").split())
        slack = max(2, round(words * self.count_slack)) if words else 0
        return {
            **self.values,
            "word_count": words or None,
            "word_count_range": [
                max(0, words - slack - self.miscounted_words),
                words + slack + self.optional_words,
            ],
            "page_start": self.page_start,
            "page_end": self.page_end,
            "doc_class": self.doc_class,
            "complete": self.complete,
            "typed": self.typed,
            "accepted": self.accepted,
            "hazards": self.hazards,
            "boxes": {name: [page, [round(v, 4) for v in box]] for name, (page, box) in self.boxes.items()},
            "expected_outcome": self.expected_outcome(words),
            **({"must_wait": True} if self.must_wait else {}),
            **(self._provenance(part) if part else {}),
        }

    def _provenance(self, part: str) -> dict[str, Any]:
        return {"part": part, "damage": sorted(set(self.damage)), "handwriting_font": self.handwriting_font}

    def expected_outcome(self, words: int) -> str:
        """What the rules of the house lead to without a language model.

        Complete native text completes; what was recognised from a picture is proposed as read; where native text
        lacks a required value there is nothing to propose.
        """
        if not self.typed:
            return "suggested" if self.values["student_name"] else "escalated"
        return "completed" if self.complete and words >= 50 else "escalated"
