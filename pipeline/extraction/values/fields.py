"""Make a reading of a field from the words found for it: cleaned, mended, checked, with evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from rapidfuzz import fuzz, process

from pipeline.extraction.tokens import Token, around, token_text
from pipeline.extraction.values.kinds import (
    can_be_written_to,
    email_is_valid,
    find_email,
    find_phone,
    parse_date,
    parse_grade,
    parse_number,
    phone_is_possible,
)
from pipeline.extraction.values.names import is_misread_label, person_certainty, school_certainty, without_room
from pipeline.extraction.values.text import plain_text, squeezed, tidied
from pipeline.pages.page_model import UNSCORED, Source
from pipeline.pages.widgets import is_prompt
from pipeline.profiles import FieldKind, PrintedRole, all_profiles, declared_fields, kinship_words
from pipeline.profiles.catalogue import by_generation
from pipeline.profiles.form import matches
from pipeline.schema import EvidenceBox, FieldReading
from pipeline.spelling.prior import PARTICLES, all_names, letters

#: A recognised value below this confidence is discarded as a guess, unless its words have no score.
UNREADABLE = 0.45
#: Certainty of an impossible e-mail address: one read well was cut off by the form, any other was misread.
_CUT_OFF = 0.457
#: Certainty of a value that does not match the pattern of its field.
_UNLIKE_PATTERN = 0.6
#: Words that may precede a word of kinship.
_BEFORE_KIN = frozenset(("my", "mi", "mis", "our", "the", "el", "step", "grand", "great"))
_EDGES = " \t:;,-–—_/|*•·=~"


@dataclass(frozen=True, slots=True)
class ParsedValue:
    """A value by the rules of its kind; certainty 0-1."""

    text: str | None
    certainty: float = 1.0
    why: str = ""


def parse_value(kind: FieldKind, text: str, field: str | None = None) -> ParsedValue:
    """Parse a raw text as a value of this kind; the result's `text` is None if it cannot be one.

    A word that is declared as a complete value of `field` ("Grandpa") is accepted as written. A value that does
    not match the pattern of `field` is doubtful.
    """
    value = _judged(kind, text, field)
    pattern = declared_fields()[field].pattern if field else None
    if pattern is None or value.text is None or matches(pattern, value.text):
        return value
    return ParsedValue(value.text, min(value.certainty, _UNLIKE_PATTERN), "not of its pattern")


def _judged(kind: FieldKind, text: str, field: str | None) -> ParsedValue:
    raw = tidied(text).strip(_EDGES)
    if not raw:
        return ParsedValue(None)
    if is_prompt(raw):
        return ParsedValue(None, 0.0, "a prompt")
    if field and declared_fields()[field].alone and is_kinship(raw):
        return ParsedValue(raw)
    if kind is FieldKind.DATE:
        return _date(raw, declared_fields()[field].language if field else None)
    return _JUDGES.get(kind, ParsedValue)(raw)


def is_kinship(text: str) -> bool:
    """Whether a text is only a word of kinship ("Grandpa", "mi papá")."""
    words = {squeezed(word) for word in text.replace("-", " ").split()}
    return bool(words & kinship_words()) and words <= kinship_words() | _BEFORE_KIN


def _person(raw: str) -> ParsedValue:
    certainty = person_certainty(raw)
    return ParsedValue(raw, certainty) if certainty > 0 else ParsedValue(None, 0.0, "no name")


def _school(raw: str) -> ParsedValue:
    name, room = without_room(raw)
    certainty = school_certainty(raw)
    return (
        ParsedValue(name, certainty, "room taken off" if room else "")
        if certainty > 0
        else ParsedValue(None, 0.0, "no school")
    )


def _grade(raw: str) -> ParsedValue:
    grade = parse_grade(raw)
    return ParsedValue(grade.value, grade.certainty, "" if grade.value else "no grade")


def _email(raw: str) -> ParsedValue:
    # One word with an "@" is kept unchanged: a field may have cut it off.
    address = raw if "@" in raw and len(raw.split()) == 1 else find_email(raw)
    if address is None:
        return ParsedValue(None, 0.0, "no address")
    return ParsedValue(address, 1.0 if email_is_valid(address) else 0.6)


def _date(raw: str, language: str | None) -> ParsedValue:
    written = parse_date(raw, language)
    return ParsedValue(written.value, written.certainty, "" if written.value else "no date")


def _number(raw: str) -> ParsedValue:
    written = parse_number(raw)
    return ParsedValue(written.value, written.certainty, "" if written.value else "no number")


def _phone(raw: str) -> ParsedValue:
    number = find_phone(raw)
    if number is None:
        return ParsedValue(None, 0.0, "no number")
    return ParsedValue(number, 1.0 if phone_is_possible(number) else 0.6)


_JUDGES = {
    FieldKind.PERSON: _person,
    FieldKind.SCHOOL: _school,
    FieldKind.GRADE: _grade,
    FieldKind.EMAIL: _email,
    FieldKind.PHONE: _phone,
    FieldKind.NUMBER: _number,
}


def _recognised(kind: FieldKind, raw: str, field: str | None) -> ParsedValue:
    """Parse a recognised text: correct common misreadings, and reject misread labels."""
    value = parse_value(kind, mended(kind, raw), field)
    if kind is FieldKind.EMAIL and value.text and not can_be_written_to(value.text):
        return ParsedValue(value.text, _CUT_OFF, "cut off")
    if kind in (FieldKind.PERSON, FieldKind.SCHOOL) and value.text and is_misread_label(value.text):
        return ParsedValue(None, 0.0, "a label")
    return value


def boxes_of(tokens: Sequence[Token]) -> list[EvidenceBox]:
    """Return one box per line, in the order of the tokens."""
    return [
        EvidenceBox(page=page, box=around([token.place for token in line]))
        for (page, _), line in groupby(tokens, attrgetter("page", "line"))
    ]


def reading_of(
    kind: FieldKind, tokens: Sequence[Token], method: str, doubt: float = 1.0, field: str | None = None
) -> FieldReading | None:
    """Make a reading from words; None if they hold no value of this kind.

    The confidence is multiplied by `doubt` (0-1), which is below 1 if the words' position is doubtful. `field`:
    see `parse_value`.
    """
    if not tokens:
        return None
    source = Source.OCR if any(t.source is Source.OCR for t in tokens) else tokens[0].source
    raw = token_text(tokens)
    value = _recognised(kind, raw, field) if source is Source.OCR else parse_value(kind, raw, field)
    if value.text is None:
        return (
            FieldReading(method=f"{method}: {value.why}", unfit=True, source=source, evidence=boxes_of(tokens))
            if value.why
            else None
        )
    lowest = min(t.confidence for t in tokens)
    confidence = lowest * value.certainty * doubt
    if source is Source.OCR and confidence < UNREADABLE and lowest != UNSCORED:
        return FieldReading(method=f"{method}: unreadable", source=source, evidence=boxes_of(tokens))
    return FieldReading(
        value=value.text,
        confidence=round(confidence, 4),
        source=source,
        evidence=boxes_of(tokens),
        method=f"{method}, {value.why}" if value.why else method,
        signals={"score": round(confidence, 4)},
    )


# Correct common misreadings of OCR without guessing at names.
#
# Only text that thousands of entries share is corrected: kinds of school, ends of e-mail addresses, the space
# between two names.


_SCHOOL_WORDS = (
    "Elementary",
    "School",
    "Academy",
    "Middle",
    "Primary",
    "Charter",
    "Magnet",
    "Catholic",
    "Community",
    "Escuela",
    "Primaria",
    "Preparatory",
    "College",
    "Language",
)
_DOMAINS = [
    "gmail.com",
    "yahoo.com",
    "hotmail.com",
    "outlook.com",
    "icloud.com",
    "aol.com",
    "comcast.net",
    "sbcglobal.net",
    "att.net",
    "msn.com",
    "live.com",
    "verizon.net",
    "ymail.com",
    "me.com",
    "mac.com",
]
_ENDS = ("com", "org", "net", "edu", "gov")
#: A domain without any dot that ends in a top-level domain.
_GLUED_END = re.compile(rf"^([^.]{{2,}})({'|'.join(_ENDS)})$")
#: Characters that recognition returns for the dots of an address.
_AS_DOTS = str.maketrans(",:;·•", ".....")
#: A small letter directly followed by a capital, except after Mc, Mac, De, La, Di, Le, Du.
_GLUED = re.compile(
    r"(?<=[a-zà-ÿ])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLa)(?<!\bDi)(?<!\bLe)(?<!\bDu)(?=[A-ZÀ-Þ][a-zà-ÿ]{2,})"
)
#: A slash within a word is a misread l.
_SLASH = re.compile(r"(?<=[A-Za-z])/(?=[a-z])|(?<=\b[A-Z])/(?=[a-z])")
_SHORT = re.compile(r"\b(?:(A[ce]a[ld])|([El]?[el]em|E[a-z]?em))\b\.?$")
#: "High" misread as the last word of a school: "Hish", "Hlgh".
_HIGH = re.compile(r"(?<=\w )(?:H[il1|][a-z]h|H[a-z1|]gh)$")
_STRAY = re.compile(r"(?<=\w{3})[,;]+(?=\s)|^[^\w(]+|[^\w).]+$")
#: A single word of this many letters may be two words that recognition joined.
_TWO_WORDS = 10


_AS_DIGITS = str.maketrans("OoQDCIl|!iSsZzBGbgq", "0000011111552286699")
_ORDINALS = (
    (re.compile(r"\b[Il|!](?=\s?(?:st|ST|St)\b)"), "1"),
    (re.compile(r"(?<![A-Za-z])[|!Il](?=[0-2OQ](?:\b|th|\d?$))"), "1"),
    (re.compile(r"(?<=1)[OQo](?=\b|th)"), "0"),
    (re.compile(r"(?<=\d)\s?(?:tn|tr|ih|fh|ch|hh|1h|t)\b\.?", re.IGNORECASE), "th"),
    (re.compile(r"(?<=2)\s?(?:ud|na|nd)\b\.?", re.IGNORECASE), "nd"),
    (re.compile(r"(?<=\d)\s?(?:v0|Vo|V0)\b"), "vo"),
)


def mended(kind: FieldKind, text: str) -> str:
    """Return the recognised text with common misreadings corrected."""
    if kind is FieldKind.PERSON:
        return mended_name(_parted(_STRAY.sub("", text)))
    if kind is FieldKind.SCHOOL:
        spaced = _parted(_STRAY.sub("", text))
        words = _HIGH.sub("High", " ".join(_school_word(word) for word in spaced.split()))
        return _SHORT.sub(lambda m: ("Acad" if m[1] else "Elem") + ("." if m[0].endswith(".") else ""), words)
    if kind is FieldKind.EMAIL:
        return _address(text)
    if kind in (FieldKind.PHONE, FieldKind.DATE, FieldKind.NUMBER):
        return " ".join(_digits(word) for word in text.split())
    return _ordinal(text) if kind is FieldKind.GRADE else text


def _digits(word: str) -> str:
    """Correct a group of a telephone number: letters among more digits are misread digits."""
    digits, letters = sum(c.isdigit() for c in word), sum(c.isalpha() for c in word)
    return word.translate(_AS_DIGITS) if 0 < letters <= digits else word


def _ordinal(text: str) -> str:
    """Correct misread digits and endings of a grade: "Ist", "|st", "7tn", "IO"."""
    for pattern, right in _ORDINALS:
        text = pattern.sub(right, text)
    return text


def _parted(text: str) -> str:
    text = _SLASH.sub("l", text)
    return " ".join(_GLUED.sub(" ", word) if len(word) >= _TWO_WORDS else word for word in text.split())


def _school_word(word: str) -> str:
    if len(word) < 5:
        return word
    hit = process.extractOne(
        plain_text(word), [w.casefold() for w in _SCHOOL_WORDS], scorer=fuzz.ratio, score_cutoff=72
    )
    if hit is None:
        return word
    right = _SCHOOL_WORDS[hit[2]]
    return right.upper() if word.isupper() else right


def _address(text: str) -> str:
    local, at, domain = text.replace(" ", "").partition("@")
    if not at:
        return text
    local, domain = local.translate(_AS_DOTS), domain.translate(_AS_DOTS).lower().rstrip(".-")
    hit = process.extractOne(domain, _DOMAINS, scorer=fuzz.ratio, score_cutoff=82)
    if hit:
        return f"{local}@{hit[0]}"
    domain = _GLUED_END.sub(r"\1.\2", domain)
    head, dot, end = domain.rpartition(".")
    ending = process.extractOne(end.replace("0", "o"), _ENDS, scorer=fuzz.ratio, score_cutoff=60)
    return f"{local}@{head}.{ending[0]}" if dot and head and ending else f"{local}@{domain}"


# Correct recognised names: remove the end of the label before them and repetitions, separate joined words.


#: A label's last word of this many letters is recognisable when joined to a name, even misread ("Patema").
_TAIL_LETTERS = 6
_TAIL_LIKENESS = 75
#: Halves of a text with at least this similarity (0-100) are one name.
_ALIKE = 80
_WORD = re.compile(r"[^\s-]+")
#: A word with the following space or hyphen.
_PIECE = re.compile(r"([^\s-]+)(\s+|-|$)")
_MC = re.compile(r"(?<=[a-zà-ÿ])Mc ?(?=[A-ZÀ-Þ])")
#: Minimum letters of each name when a word is split.
_SHORTEST = 4


def mended_name(text: str) -> str:
    """Return the name without label and repetition, its words separated."""
    return _once(_without_label(_apart(text)))


def _apart(text: str) -> str:
    """Correct the spaces of "JEROMESUTTON", "ReeseMc Bride" and "Fig Ueroa"."""
    pieces = _PIECE.findall(_MC.sub(" Mc", text))
    for at in range(len(pieces) - 2, -1, -1):
        (one, gap), (other, after) = pieces[at], pieces[at + 1]
        parts = [letters(one), letters(other)]
        is_broken = gap == " " and all(len(part) > 2 and part not in PARTICLES for part in parts)
        if is_broken and all_names().knows("".join(parts)) and not all(all_names().knows(part) for part in parts):
            pieces[at : at + 2] = [(f"{one}{other.lower() if one[1:].islower() else other}", after)]
    return "".join(f"{word}{gap}" for word, gap in pieces) if len(pieces) != 1 else _in_two(pieces[0][0])


def _in_two(word: str) -> str:
    """Split a single unlisted word into the two names that it most likely is."""
    known = all_names()
    if len(word) < 2 * _SHORTEST or not word.isalpha() or known.knows(letters(word)):
        return word
    cuts = [
        at
        for at in range(_SHORTEST, len(word) - _SHORTEST + 1)
        if known.knows(letters(word[:at])) and known.knows(letters(word[at:]))
    ]
    if not cuts:
        return word
    at = max(cuts, key=lambda at: known.of(word[:at]) + known.of(word[at:]))
    return f"{word[:at]} {word[at].upper()}{word[at + 1 :]}"


def _without_label(text: str) -> str:
    first, _, rest = text.partition(" ")
    if len(first) == 1 and first.casefold() in {tail[-1] for tail in _tails()} and len(rest.split()) > 1:
        return rest
    for tail in _tails():
        if squeezed(first) == tail and len(rest.split()) > 1:
            return rest
        for end in range(len(tail) - 1, len(tail) + 2):
            begins, name = squeezed(first[:end]), first[end:]
            is_tail = begins[-1:] == tail[-1] and fuzz.ratio(begins, tail) >= _TAIL_LIKENESS
            if is_tail and rest and all_names().knows(letters(name)):
                return f"{name[0].upper()}{name[1:]} {rest}"
    return text


@by_generation
def _tails() -> tuple[str, ...]:
    """Return the last words of labels of persons' fields."""
    labels = {
        squeezed(text.split()[-1])
        for profile in all_profiles().values()
        for printed in profile.printed
        if printed.role is PrintedRole.LABEL
        and printed.field in profile.fields
        and profile.fields[printed.field].kind is FieldKind.PERSON
        for text in printed.texts
    }
    return tuple(sorted(label for label in labels if len(label) >= _TAIL_LETTERS))


def _once(text: str) -> str:
    """Reduce a name written twice (the first crossed out) to the half with more listed words, else the second."""
    words = list(_WORD.finditer(text))
    if len(words) < 4 or len(words) % 2:
        return text
    half = len(words) // 2
    first, second = text[: words[half - 1].end()], text[words[half].start() :]
    if fuzz.ratio(squeezed(first), squeezed(second)) < _ALIKE:
        return text
    known = [sum(all_names().knows(letters(word)) for word in _WORD.findall(part)) for part in (first, second)]
    return first if known[0] > known[1] else second
