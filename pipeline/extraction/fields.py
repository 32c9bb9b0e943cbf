"""Make a reading of a field from the words found for it: cleaned, checked by the field's kind, with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from pipeline.extraction.tokens import Token, around, text_of
from pipeline.extraction.values.contacts import (
    email_is_valid,
    ends_in_public_suffix,
    find_email,
    find_phone,
    phone_is_possible,
)
from pipeline.extraction.values.dates import parse_date
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.mending import mended
from pipeline.extraction.values.names import is_misread_label, person_certainty
from pipeline.extraction.values.numbers import parse_number
from pipeline.extraction.values.schools import school_certainty, without_room
from pipeline.extraction.values.text import squeezed, tidy
from pipeline.pages.page_model import Source
from pipeline.pages.prompts import is_prompt
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import declared_fields, kinship_words
from pipeline.profiles.patterns import matches
from pipeline.schema import EvidenceBox, FieldReading

#: A recognised value below this confidence is discarded as a guess.
UNREADABLE = 0.45
#: Certainty of an impossible e-mail address: one read well was cut off by the form, any other was misread.
_CUT_OFF = 0.457
#: Certainty of a value that does not match the pattern of its field.
_UNLIKE_PATTERN = 0.6
#: What may precede a word of kinship.
_BEFORE_KIN = frozenset(("my", "mi", "mis", "our", "the", "el", "step", "grand", "great"))
_EDGES = " \t:;,-–—_/|*•·=~"


@dataclass(frozen=True, slots=True)
class Value:
    """A value by the rules of its kind; certainty 0-1."""

    text: str | None
    certainty: float = 1.0
    why: str = ""


def judge(kind: FieldKind, text: str, field: str | None = None) -> Value:
    """Parse a raw text as a value of this kind; `text` is None where it cannot be one.

    A word that is declared as a value of `field` by itself ("Grandpa") is one, as written. A value that does not
    match the pattern of `field` is doubtful.
    """
    value = _judged(kind, text, field)
    pattern = declared_fields()[field].pattern if field else None
    if pattern is None or value.text is None or matches(pattern, value.text):
        return value
    return Value(value.text, min(value.certainty, _UNLIKE_PATTERN), "not of its pattern")


def _judged(kind: FieldKind, text: str, field: str | None) -> Value:
    raw = tidy(text).strip(_EDGES)
    if not raw:
        return Value(None)
    if is_prompt(raw):
        return Value(None, 0.0, "a prompt")
    if field and _stands_alone(field, raw):
        return Value(raw)
    if kind is FieldKind.DATE:
        return _date(raw, declared_fields()[field].language if field else None)
    return _JUDGES.get(kind, _as_is)(raw)


def _stands_alone(field: str, raw: str) -> bool:
    return bool(declared_fields()[field].alone) and is_kinship(raw)


def is_kinship(text: str) -> bool:
    """Whether a text is nothing but what a child calls somebody ("Grandpa", "mi papá")."""
    words = {squeezed(word) for word in text.replace("-", " ").split()}
    return bool(words & kinship_words()) and words <= kinship_words() | _BEFORE_KIN


def _as_is(raw: str) -> Value:
    return Value(raw)


def _person(raw: str) -> Value:
    certainty = person_certainty(raw)
    return Value(raw, certainty) if certainty > 0 else Value(None, 0.0, "no name")


def _school(raw: str) -> Value:
    name, room = without_room(raw)
    certainty = school_certainty(raw)
    return (
        Value(name, certainty, "room taken off" if room else "")
        if certainty > 0
        else Value(None, 0.0, "no school")
    )


def _grade(raw: str) -> Value:
    grade = parse_grade(raw)
    return Value(grade.value, grade.certainty, "" if grade.value else "no grade")


def _email(raw: str) -> Value:
    # One word with an "@" is kept unchanged: a field may have cut it off.
    address = raw if "@" in raw and len(raw.split()) == 1 else find_email(raw)
    if address is None:
        return Value(None, 0.0, "no address")
    return Value(address, 1.0 if email_is_valid(address) else 0.6)


def _date(raw: str, language: str | None) -> Value:
    written = parse_date(raw, language)
    return Value(written.value, written.certainty, "" if written.value else "no date")


def _number(raw: str) -> Value:
    written = parse_number(raw)
    return Value(written.value, written.certainty, "" if written.value else "no number")


def _phone(raw: str) -> Value:
    number = find_phone(raw)
    if number is None:
        return Value(None, 0.0, "no number")
    return Value(number, 1.0 if phone_is_possible(number) else 0.6)


_JUDGES = {
    FieldKind.PERSON: _person,
    FieldKind.SCHOOL: _school,
    FieldKind.GRADE: _grade,
    FieldKind.EMAIL: _email,
    FieldKind.PHONE: _phone,
    FieldKind.NUMBER: _number,
}


def _recognised(kind: FieldKind, raw: str, field: str | None) -> Value:
    """Parse a recognised text: correct common misreadings, and reject misread labels."""
    value = judge(kind, mended(kind, raw), field)
    if kind is FieldKind.EMAIL and value.text and not _could_be_written_to(value.text):
        return Value(value.text, _CUT_OFF, "cut off")
    if kind in (FieldKind.PERSON, FieldKind.SCHOOL) and value.text and is_misread_label(value.text):
        return Value(None, 0.0, "a label")
    return value


def _could_be_written_to(address: str) -> bool:
    return email_is_valid(address) and ends_in_public_suffix(address)


def evidence_of(tokens: Sequence[Token]) -> list[EvidenceBox]:
    """Return one box per line, in the order of the tokens."""
    return [
        EvidenceBox(page=page, box=around([token.place for token in line]))
        for (page, _), line in groupby(tokens, attrgetter("page", "line"))
    ]


def reading_of(
    kind: FieldKind, tokens: Sequence[Token], method: str, doubt: float = 1.0, field: str | None = None
) -> FieldReading | None:
    """Make a reading from words; None where they hold no value of this kind.

    The confidence is multiplied by `doubt` (0-1), which is below 1 where the words' position is doubtful. `field`:
    see `judge`.
    """
    if not tokens:
        return None
    source = Source.OCR if any(t.source is Source.OCR for t in tokens) else tokens[0].source
    raw = text_of(tokens)
    value = _recognised(kind, raw, field) if source is Source.OCR else judge(kind, raw, field)
    if value.text is None:
        return (
            FieldReading(method=f"{method}: {value.why}", unfit=True, source=source, evidence=evidence_of(tokens))
            if value.why
            else None
        )
    confidence = min(t.confidence for t in tokens) * value.certainty * doubt
    if source is Source.OCR and confidence < UNREADABLE:
        return FieldReading(method=f"{method}: unreadable", source=source, evidence=evidence_of(tokens))
    return FieldReading(
        value=value.text,
        confidence=round(confidence, 4),
        source=source,
        evidence=evidence_of(tokens),
        method=f"{method}, {value.why}" if value.why else method,
        signals={"score": round(confidence, 4)},
    )
