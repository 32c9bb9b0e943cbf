"""The roles that words play on the pages of an essay without a form."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a word belongs to."""

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
