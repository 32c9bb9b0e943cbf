"""What two entries are compared by."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from pipeline.duplicates.picture import Fingerprint
from pipeline.schema import SubmissionRecord

#: Letters below which an essay is none, and from which it is one.
_NONE, _ESSAY = 24, 100
_NO_LETTERS = {code: None for code in range(128) if chr(code) not in ascii_lowercase}


@dataclass(frozen=True)
class Subject:
    """One entry, as read or as a person corrected it."""

    student_name: str | None = None
    school_name: str | None = None
    grade: str | None = None
    essay: str | None = None
    #: Of its pages in their order; empty where they have no picture.
    pages: tuple[Fingerprint, ...] = ()

    @cached_property
    def essay_letters(self) -> str:
        """The essay as letters a-z only, so that spaces, accents and signs do not count."""
        bare = unicodedata.normalize("NFKD", self.essay or "").encode("ascii", "ignore").decode()
        return bare.lower().translate(_NO_LETTERS)

    @property
    def is_form_alone(self) -> bool:
        """Whether it has what a form asks for, and no essay."""
        return bool(self.school_name or self.grade) and len(self.essay_letters) < _NONE

    @property
    def is_essay_alone(self) -> bool:
        """Whether it has an essay, and nothing that a form asks for but the name."""
        return not self.school_name and not self.grade and len(self.essay_letters) >= _ESSAY

    def completes(self, other: Subject) -> bool:
        """Whether one of the two is a form without its essay, the other an essay without its form."""
        return (self.is_form_alone and other.is_essay_alone) or (self.is_essay_alone and other.is_form_alone)


def subject_of(record: SubmissionRecord, pages: tuple[Fingerprint, ...] = ()) -> Subject:
    """Return what an entry is compared by."""
    return Subject(record.student_name, record.school_name, record.grade, record.essay_text, pages)
