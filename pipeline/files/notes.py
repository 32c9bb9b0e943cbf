"""What a file holds beside the pages that are read, so that nothing of it is lost without a word."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

from core.characters import storable
from pipeline.reason_codes import ReasonCode

#: Names that one note gives; of more there is only the number.
MOST_NAMES = 5
_LONGEST_NAME = 80


class FileNote(BaseModel):
    """Something in a file that was not read. Every entry of the file needs a person because of it."""

    code: ReasonCode
    #: How many there are.
    count: int = 1
    #: Names that the file gives to some of them.
    names: list[str] = Field(default_factory=list)


def file_note(code: ReasonCode, count: int = 1, names: Iterable[str] = ()) -> FileNote:
    """Return a note with as many names as fit."""
    shown = [name[:_LONGEST_NAME] for given in names if (name := storable(given).strip())]
    return FileNote(code=code, count=count, names=shown[:MOST_NAMES])


def codes_of(notes: Iterable[FileNote]) -> list[str]:
    """Return the reasons of the notes, each once."""
    return list(dict.fromkeys(note.code.value for note in notes))
