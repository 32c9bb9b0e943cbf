"""Compare what the two readers read: agreements by field, and replies that cannot be true. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from pipeline.extraction.readings import seen_as_same
from pipeline.extraction.values.names import has_school_word, match_school
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.profiles import ENTRANT, FieldKind, field_kind, unlike_fields
from pipeline.schema import Agreement, EvidenceBox, FieldReading, SecondReading, SubmissionRecord
from pipeline.second_reader.question import Answers, Dropped
from pipeline.spelling.lattice import Lattice
from pipeline.validate import SCHOOL_LIKENESS

#: Least log-likelihood per letter, relative to the likeliest text of a line, at which a spelling is a likely one.
#: Measured on lines of the development hands: 18 of 31 right spellings have it and 10 of 42 with one wrong letter,
#: with -0.5 17 and 4. What is marked first waits for a person all the same.
LIKELY = -0.7
#: Least log-likelihood per letter that counts: beyond it a letter is not on the line at all.
_LEAST = -9.0

Schools = Mapping[str, Sequence[str]]


def without_impossible(
    answers: Answers, record: SubmissionRecord, schools: Schools, others: Collection[str] = ()
) -> Answers:
    """Return the answers without those that cannot be true, each dropped with its code.

    These are values of another field or of two fields, the name of a school as a person's, and the name of a
    child of another entry. `others` are the names of the other children of the file.
    """
    dropped = dict(answers.dropped)
    for name, value in answers.values.items():
        if (why := _impossible(name, value, answers.values, record, schools, others)) is not None:
            dropped[name] = why
    values = {name: value for name, value in answers.values.items() if name not in dropped}
    return replace(answers, values=values, dropped=dropped)


def _impossible(
    name: str,
    value: str,
    values: Mapping[str, str],
    record: SubmissionRecord,
    schools: Schools,
    others: Collection[str],
) -> Dropped | None:
    kind, letters, first = field_kind(name), squeezed(value), squeezed(record.value_of(name) or "")
    if letters == first:
        return None
    if kind is FieldKind.PERSON and (has_school_word(value) or match_school(value, schools, SCHOOL_LIKENESS)):
        return Dropped.SCHOOL_AS_NAME
    if name == ENTRANT and letters in {squeezed(other) for other in others}:
        return Dropped.OTHER_ENTRY
    like = [one for one in record.readings if one != name and field_kind(one) in _CONFUSED and kind in _CONFUSED]
    if any(letters == squeezed(record.value_of(other) or "") for other in like):
        return Dropped.SWAPPED
    pairs = [{*pair} for pair in unlike_fields().items()]
    alike = [one for one, said in values.items() if one != name and squeezed(said) == letters]
    if any({name, other} in pairs or field_kind(other) is not kind for other in alike):
        return Dropped.TWICE
    return None


#: Kinds of fields whose values may be taken for each other.
_CONFUSED = (FieldKind.PERSON, FieldKind.SCHOOL)


def agreement_of(name: str, first: str | None, second: str | None, schools: Schools) -> Agreement:
    """Return what two values of a field mean together; None is a reader without one."""
    if first is None or second is None:
        if first is None and second is None:
            return Agreement.NEITHER
        return Agreement.ONLY_FIRST if second is None else Agreement.ONLY_SECOND
    return Agreement.AGREE if is_agreed(field_kind(name), first, second, schools) else Agreement.DIFFER


def is_agreed(kind: FieldKind, first: str, second: str, schools: Schools) -> bool:
    """Whether two values are equal but for case, accents and punctuation, or mean one known school.

    The words of names and other texts must be parted alike: a record with a name torn in two is not right.
    """
    one, other = (plain_text(text) if kind in _OF_WORDS else text for text in (first, second))
    if seen_as_same(kind, one, other):
        return True
    if kind is not FieldKind.SCHOOL:
        return False
    one_school, other_school = (match_school(text, schools, SCHOOL_LIKENESS) for text in (first, second))
    return one_school is not None and other_school is not None and one_school[0] == other_school[0]


#: Kinds of values that are words, of which recognition loses accents.
_OF_WORDS = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.TEXT)


def likelihood_of(texts: Sequence[str], views: Sequence[Lattice]) -> float | None:
    """Return the log-likelihood per letter of a value by views of its line, relative to their likeliest text.

    `texts` are the ways to write the value, of which the likeliest counts. None without a view that shows
    anything. Views are crops of one line, of which some may cut off letters: the mean of the better half counts.
    """
    found = []
    for view in views:
        if best := view.likeliest:
            *owns, most = (float(one) for one in view.log_likelihoods([*texts, best]))
            each = ((own - most) / max(len(text), 1) for own, text in zip(owns, texts, strict=True))
            found.append(max(*each, _LEAST))
    better = sorted(found, reverse=True)[: (len(found) + 1) // 2]
    return round(fmean(better), 4) if better else None


def is_beside_print(value: str, first: str, print_words: Collection[str]) -> bool:
    """Whether a first reading is a value with printed words before or behind it. `print_words` are plain text."""
    own, read = plain_text(value).split(), plain_text(first).split()
    extra = read[len(own) :] if read[: len(own)] == own else read[: -len(own)] if read[-len(own) :] == own else []
    return bool(extra) and all(word in print_words for word in extra)


def is_likely(second: SecondReading) -> bool:
    """Whether the recogniser finds the second reader's spelling a likely one."""
    return second.likelihood is not None and second.likelihood >= LIKELY


def with_second(
    reading: FieldReading,
    value: str | None,
    agreement: Agreement,
    likelihood: float | None,
    place: EvidenceBox | None,
) -> FieldReading:
    """Return a reading with what the second reader read for its field."""
    second = SecondReading(value=value, agreement=agreement, likelihood=likelihood, place=place)
    return reading.model_copy(update={"second": second})
