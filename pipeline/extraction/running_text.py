"""Distinguish the running text of an essay from header lines, line by line, by the words alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.extraction.freeform import is_prose
from pipeline.extraction.values.grades import explicit_grades
from pipeline.extraction.values.names import counts_as_sentence
from pipeline.extraction.values.schools import has_school_word

#: Maximum words of a line that may be a signature; longer lines may name a grade or a school in a sentence.
SIGNATURE_WORDS = 7
_LINE_END = (".", "!", "?", ",", ";")


def is_running_text(text: str) -> bool:
    """Whether a line reads like a piece of an essay rather than like a value or several."""
    if is_prose(text):
        return True
    words = len(text.split())
    names = words <= SIGNATURE_WORDS and (explicit_grades(text) or has_school_word(text))
    return words > 2 and text.endswith(_LINE_END) and counts_as_sentence(text) and not names


@dataclass(slots=True)
class RunningText:
    """Filter that passes header and label lines and drops running text."""

    #: Pass everything.
    whole: bool = False
    _inside: bool = False
    #: Inside a zone begun by a label, such as the parent's reaction; only essays have signatures.
    _zone: bool = False
    #: The last line of the running text, if it may be a signature.
    _held: list[str] = field(default_factory=list)

    def passed(self, shown: str, written: str, *, begins: bool, labelled: bool) -> list[str]:
        """Return the lines to show after this one: itself, a signature before it, or none.

        `written` is all of the line that no form printed, `shown` what may be shown of it. `begins`: the running
        text begins here. `labelled`: a label of the header is on the line.
        """
        if self.whole:
            return [shown] if shown else []
        signed = self.last() if labelled or begins else []
        prose = bool(written) and is_running_text(written)
        self._inside = begins or prose or (self._inside and not labelled)
        self._zone = begins or (self._zone and not labelled)
        if prose:
            self._held = []
        if not shown or begins or prose:
            return signed
        if labelled or not self._inside:
            return [*signed, shown]
        self._held = [shown] if not self._zone and _may_sign(shown) else []
        return signed

    def last(self) -> list[str]:
        """Return the signature below the last running text, if there is one."""
        held, self._held = self._held, []
        return held


def _may_sign(text: str) -> bool:
    return not text.endswith(_LINE_END) and len(text.split()) <= SIGNATURE_WORDS
