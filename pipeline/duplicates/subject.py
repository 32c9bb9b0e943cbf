"""What two entries are compared by."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from pipeline.duplicates.picture import Fingerprint
from pipeline.schema import SubmissionRecord

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


def subject_of(record: SubmissionRecord, pages: tuple[Fingerprint, ...] = ()) -> Subject:
    """Return what an entry is compared by."""
    return Subject(record.student_name, record.school_name, record.grade, record.essay_text, pages)
