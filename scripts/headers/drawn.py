"""What a drawn header is: lines of pieces of text, each with the role that it plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a piece of text on an essay's page says."""

    #: The pupil's name, of siblings the first one's.
    NAME = "name"
    SCHOOL = "school"
    #: The words that say the grade: "4th", both words of "Grade IV", the "3" of "3-207", the "6" of "6B".
    GRADE = "grade"
    #: A room's identifier and the word for a room in front of it.
    ROOM = "room"
    TEACHER = "teacher"
    DATE = "date"
    TITLE = "title"
    #: "Name:", "by", "submitted by", and the small words that connect ("a sixth grader at").
    LABEL = "label"
    CONTACT = "contact"
    #: Another person than pupil and teacher, in the header or in the essay.
    PERSON = "person"
    OTHER = "other"
    BODY = "body"


@dataclass(frozen=True)
class Piece:
    """A run of text with one role."""

    text: str
    role: Role


@dataclass(frozen=True)
class Header:
    """The first lines of a page, top first; a blank line has no pieces. A line's text is that of its pieces."""

    lines: list[list[Piece]]
    spanish: bool
