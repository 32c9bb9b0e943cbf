"""Kinds of values: grades, dates, numbers, addresses, and whether a value fits its field and its document."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

import phonenumbers
from email_validator import EmailNotValidError, validate_email
from rapidfuzz import fuzz, process

from pipeline.extraction.values.text import plain_text, tidied
from pipeline.profiles import DeclaredField, FieldKind, declared_fields, field_kind
from pipeline.profiles.form import matches

if TYPE_CHECKING:
    from tldextract import TLDExtract

# Whether a field can have a value.


def fits_field(name: str, value: str) -> bool:
    """Whether a stored value is of its field's kind and matches the pattern that the form gives for it.

    Only grades, dates and numbers are checked against their kind: anything may be somebody's name.
    """
    declared = declared_fields().get(name)
    return declared is None or (as_stored(declared, value) == value and of_pattern(declared, value))


def as_stored(declared: DeclaredField, value: str) -> str | None:
    """Return the value in the form in which its kind is stored, None if it is not of the kind."""
    if declared.kind is FieldKind.GRADE:
        return parse_grade(value).value
    if declared.kind is FieldKind.DATE:
        return parse_date(value, declared.language).value
    if declared.kind is FieldKind.NUMBER:
        return parse_number(value).value
    return value


def of_pattern(declared: DeclaredField, value: str) -> bool:
    """Whether the value matches the pattern of its field, if that has one."""
    return declared.pattern is None or matches(declared.pattern, value)


# Grades: "K" or "1" to "12", from digits, ordinals and words in English and Spanish.
#
# A room is so often written beside the grade ("404 1st", "Rm 214", "Grade 4 Room 12") that a number counts as a
# room unless something indicates a grade: an ordinal, the word itself, or being the only number.


_ENGLISH = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
_SPANISH = (
    ("primer", "primero", "primera"),
    ("segundo", "segunda"),
    ("tercer", "tercero", "tercera"),
    ("cuarto", "cuarta"),
    ("quinto", "quinta"),
    ("sexto", "sexta"),
    ("septimo", "septima", "setimo"),
    ("octavo", "octava"),
    ("noveno", "novena"),
    ("decimo", "decima"),
    ("undecimo", "undecima", "onceavo"),
    ("duodecimo", "duodecima", "doceavo"),
)
_CARDINAL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SPANISH_CARDINAL = [
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
]
ORDINALS: dict[str, str] = {word: str(n) for n, word in enumerate(_ENGLISH, 1)} | {
    word: str(n) for n, forms in enumerate(_SPANISH, 1) for word in forms
}
_YEARS = {"freshman": "9", "sophomore": "10", "junior": "11", "senior": "12"}
_CARDINALS = {word: str(n) for words in (_CARDINAL, _SPANISH_CARDINAL) for n, word in enumerate(words, 1)}

#: Not the "K" of "K-12", which is a range.
_KINDER = re.compile(r"\b(?:kg|kdg|kinder(?:garten|garden)?|jardin(?: de (?:ninos|infantes))?)\b(?!\s*[-–]\s*\d)")
#: "K-12", "3-5": the grades of a school, not of a child.
_RANGE = re.compile(r"\b(?:k|\d{1,2}(?:st|nd|rd|th)?)\s*[-–]\s*\d{1,2}(?:th)?\b")
_PRE_K = re.compile(r"\b(?:pre[- ]?k(?:inder\w*)?|preschool|preescolar)\b")
#: The number after these words is a room or a teacher's, not a grade.
ROOM = re.compile(
    r"(?:\b(?:room|rm|salon|sala|aula|cuarto no|hr|homeroom|div|division)\b\.?"
    r"\s*+(?:no\.?|#|:|-)?\s*+#?\s*+[a-z]?-?\d{1,4}[a-z]?\b)|#\s*\d{1,4}\b"
)
_WORD = r"(?:grade|grado|gr|grd|level|nivel)"
#: A single letter K could just as well be an initial.
_K_OF_WORD = re.compile(rf"\b{_WORD}\b\.?\s*+[:#\-]?\s*+k\b|\bk[- ]+{_WORD}\b")
_K = re.compile(r"(?<![\w'.])k(?![\w'])")
_ORDINAL = re.compile(r"\b(\d{1,2})\s*(?:st|nd|rd|th|ro|do|to|er|mo|vo|no|o|a|°|º|ª)(?![a-z])")
_AFTER_WORD = re.compile(rf"\b{_WORD}\b\.?\s*+(?:level)?\s*+[:#\-]?\s*+(\d{{1,2}})(?!\d)")
_BEFORE_WORD = re.compile(rf"(?<!\d)(\d{{1,2}})\s*+[-–]?\s*+{_WORD}\b")
_ORDINAL_AND_WORD = re.compile(rf"\b([a-z]{{5,}})[- ]+{_WORD}\b")
_SECTION = re.compile(r"^(\d{1,2})\s*+[-/]?\s*+([a-h])$")
_ALONE = re.compile(r"(?<![\d.])(\d{1,4})(?![\d])")


@dataclass(frozen=True, slots=True)
class GradeReading:
    """A grade with the certainty (0-1) of its wording; `value` is None where the text is not a grade."""

    value: str | None
    certainty: float
    #: Whether the wording names a grade ("4th", "grade 4"), so that it counts outside a grade field too.
    explicit: bool = False


def parse_grade(text: str) -> GradeReading:
    """Parse the text of a grade field; `value` is None if it is ambiguous or not a grade."""
    line = plain_text(text)
    if _PRE_K.search(line) or _RANGE.search(line):
        return GradeReading(None, 0.0)
    if line.strip(" .") in _YEARS:
        return GradeReading(_YEARS[line.strip(" .")], 0.9)
    bare = ROOM.sub(" ", line)
    named = list(dict.fromkeys([*explicit_grades(bare), *_ordinals(bare)]))
    if len(named) > 1:
        return GradeReading(None, 0.0)
    if named:
        # A number beside an ordinal is the room. Two explicit grades are ambiguous (above).
        return GradeReading(named[0], 1.0 if bare == line else 0.9, explicit=True)
    return _bare_number(bare)


def _bare_number(line: str) -> GradeReading:
    if section := _SECTION.match(line):
        return GradeReading(_in_range(section[1]), 0.7)
    numbers = _ALONE.findall(line)
    grades = [g for g in map(_in_range, numbers) if g]
    if len(grades) == 1 and len(numbers) == 1:
        others = re.sub(r"[^a-z]", "", line)
        return GradeReading(grades[0], 1.0 if not others else 0.6)
    if len(grades) == 1:
        return GradeReading(grades[0], 0.6)
    if _K.search(line) and not numbers:
        return GradeReading("K", 0.6)
    words = [c for w in re.findall(r"[a-z]+", line) if (c := _CARDINALS.get(w))]
    return GradeReading(words[0], 0.9) if len(set(words)) == 1 and not numbers else GradeReading(None, 0.0)


def explicit_grades(text: str) -> list[str]:
    """Return the distinct grades that a line names explicitly, without rooms, in the order of the patterns."""
    line = ROOM.sub(" ", _RANGE.sub(" ", _PRE_K.sub(" ", plain_text(text))))
    found = [_in_range(m) for p in (_ORDINAL, _AFTER_WORD, _BEFORE_WORD) for m in p.findall(line)]
    found += [_ordinal(word) for word in _ORDINAL_AND_WORD.findall(line)]
    if alone := _ordinal(line.strip(" .,:-")):
        found.append(alone)
    if _KINDER.search(line) or _K_OF_WORD.search(line) or line.strip(" .,:-") == "k":
        found.append("K")
    return list(dict.fromkeys(g for g in found if g))


def _ordinals(line: str) -> list[str]:
    return [grade for word in re.findall(r"[a-z]+", line) if (grade := _ordinal(word))]


def _ordinal(word: str) -> str | None:
    if word in ORDINALS:
        return ORDINALS[word]
    if len(word) < 5:
        return None
    close = process.extractOne(word, ORDINALS.keys(), scorer=fuzz.ratio, score_cutoff=88)
    return ORDINALS[close[0]] if close else None


def _in_range(number: str) -> str | None:
    return str(int(number)) if 1 <= int(number) <= 12 else None


# Check that a value from a model occurs in the document that the model was given.


_SPACES = re.compile(r"\s+")
_GRADE_WORD = re.compile(r"\b(?:grade|grado|gr|grader)\b")
#: Between the word "grade" and its number only dots, rules and brackets are allowed.
_GRADE_THEN_VALUE = re.compile(r"\b(?:grade|grado|gr)\b[\W_]{0,20}([a-z]+|\d{1,2})(?![\w])")
#: The range of grades that forms print ("K-12", "grades 1 to 12") is not a grade.
_PRINTED_SPAN = re.compile(r"\b(?:k|1)\s*(?:-|to|a|through)\s*12\b")
_PHONE_DIGITS = 7
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
#: Labels and options in the notation of `model_text`.
_MARKS = re.compile(r"\[\w+\]|<[^<>]*+>")
#: Characters on either side of the word "grade" that are searched for a grade.
_NEAR = 24
#: A line of at most this many words is a filled-in value, not a sentence.
_SHORT_LINE_WORDS = 4
_PHONE_GAP = r"[\s().\-–/•·+]*"


def found_in_text(field: str, value: str, text: str) -> bool:
    """Whether `value` occurs in the text: folded, at word boundaries; for some fields also in equivalent forms."""
    return _TESTS.get(field_kind(field), _says)(value, text)


def can_be_found(field: str, text: str) -> bool:
    """Whether the text holds anything that `found_in_text` would accept for the field."""
    return _POSSIBLE.get(field_kind(field), _has_a_word)(text)


def casefolded(text: str) -> str:
    """Return a text in NFKC, case folded, with single spaces."""
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SPACES.sub(" ", composed).strip()


def _says(value: str, text: str) -> bool:
    wanted = casefolded(value)
    return bool(wanted) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", casefolded(text)) is not None


def _names_grade(value: str, text: str) -> bool:
    """Whether the text names this grade. A bare "4" does not count: it occurs in nearly every document."""
    grade = parse_grade(value).value
    return grade is not None and any(grade in _grades_of(line) for line in text.splitlines())


def _grades_of(line: str) -> set[str]:
    """Return the grades that a line names explicitly; not a bare number, nor "first" in a sentence."""
    bare = _PRINTED_SPAN.sub(" ", plain_text(line))
    found: set[str | None] = set()
    for word in _GRADE_WORD.finditer(bare):
        found.update(explicit_grades(bare[max(0, word.start() - _NEAR) : word.end() + _NEAR]))
    found.update(parse_grade(match[1]).value for match in _GRADE_THEN_VALUE.finditer(bare))
    if len(bare.split()) <= _SHORT_LINE_WORDS:
        found.add(parse_grade(bare).value)
    if "kindergarten" in bare:
        found.add("K")
    return {grade for grade in found if grade}


def _has_phone(value: str, text: str) -> bool:
    digits = re.findall(r"[0-9]", value)
    if len(digits) < _PHONE_DIGITS:
        return False
    return re.search(rf"(?<!\d){_PHONE_GAP.join(digits)}(?!\d)", text) is not None


def _has_email(value: str, text: str) -> bool:
    """Whether the text contains the address, ignoring the spaces that recognition puts around @ and dots."""
    wanted = re.escape(casefolded(value).replace(" ", ""))
    joined = re.sub(r"(?>(?:(?<!\s)\s++)?)([@.])\s*+", r"\1", casefolded(text))
    return "@" in value and re.search(rf"(?<![\w.]){wanted}(?!\w)", joined) is not None


def _has_a_word(text: str) -> bool:
    return _TWO_LETTERS.search(_MARKS.sub(" ", text)) is not None


_TESTS: dict[FieldKind, Callable[[str, str], bool]] = {
    FieldKind.GRADE: _names_grade,
    FieldKind.PHONE: _has_phone,
    FieldKind.EMAIL: _has_email,
}

_POSSIBLE: dict[FieldKind, Callable[[str], bool]] = {
    FieldKind.GRADE: lambda text: any(map(_grades_of, text.splitlines())),
    FieldKind.PHONE: lambda text: sum(map(str.isdigit, text)) >= _PHONE_DIGITS,
    FieldKind.EMAIL: lambda text: "@" in text,
    FieldKind.CHOICE: lambda text: "<" in text,
}


# E-mail addresses and telephone numbers.


#: Default region of numbers without a country code.
REGION = "US"
_EMAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+'-]{0,64}\s?@\s?[A-Za-z0-9-]+(?:\s?\.\s?[A-Za-z0-9-]+)*")
_DATE = re.compile(r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}\b(?![-.]?\d)")
_PHONE = re.compile(r"(?<![\w@.])\+?\(?\d[\d\s().\-–/•·]{5,18}\d(?![\w@])")


def find_email(text: str) -> str | None:
    """Return the first apparent e-mail address in a text, even a truncated one; None without one."""
    match = _EMAIL.search(tidied(text))
    return match[0].replace(" ", "").rstrip(".-") if match else None


def email_is_valid(address: str) -> bool:
    try:
        validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return False
    return True


def ends_in_public_suffix(address: str) -> bool:
    """Whether the domain ends in a suffix of the Public Suffix List (".com", ".k12.tx.us")."""
    return bool(_suffixes()(address.rpartition("@")[2]).suffix)


def can_be_written_to(address: str) -> bool:
    return email_is_valid(address) and ends_in_public_suffix(address)


def load_suffixes() -> None:
    """Load the Public Suffix List now instead of at the first address."""
    ends_in_public_suffix("name@example.org")


@cache
def _suffixes() -> TLDExtract:
    # The list bundled with the package: no download, no cache file.
    # It loads a client for HTTP, which is not used.
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def find_phone(text: str) -> str | None:
    """Return the first apparent phone number in a text, as written; None without one."""
    match = _PHONE.search(_DATE.sub(" ", tidied(text)))
    if match is None or not 7 <= len(re.sub(r"\D", "", match[0])) <= 15:
        return None
    return match[0].strip(" -.–/")


def phone_is_possible(number: str) -> bool:
    """Whether a number has a possible length (fictitious numbers have, too)."""
    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(number, REGION)))
    except phonenumbers.NumberParseException:
        return False


# Dates as people write them in English and Spanish.


#: A year of two digits up to this one is of this century.
_LATEST = 50
#: Certainties of a year of two digits, and of a date whose day and month are in the order of another language.
_SHORT_YEAR, _SWAPPED = 0.9, 0.8
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan enero ene",
            "february feb febrero",
            "march mar marzo",
            "april apr abril abr",
            "may mayo",
            "june jun junio",
            "july jul julio",
            "august aug agosto ago",
            "september sept sep septiembre setiembre set",
            "october oct octubre",
            "november nov noviembre",
            "december dec diciembre dic",
        ),
        1,
    )
    for name in names.split()
}
#: Between the numbers of a date; spaces are single here.
_APART = r"(?: ?[-/.] ?| )"
_APART_OR_BOXED = r"(?: ?[-/.,|] ?| )"
_YEAR_FIRST = re.compile(rf"\b((?:19|20)\d\d){_APART}(\d{{1,2}}){_APART}(\d{{1,2}})\b(?!\d)")
_YEAR_LAST = re.compile(rf"\b(\d{{1,2}}){_APART_OR_BOXED}(\d{{1,2}}){_APART_OR_BOXED}((?:19|20)\d\d|\d\d)\b")
_MONTH_DAY = re.compile(
    r"\b([a-z]{3,10})\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*+(?:,\s*+)?(?:of\s+|de\s+|del\s+)?(\d{4})\b"
)
_DAY_MONTH = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?\s*(?:de\s+|of\s+)?([a-z]{3,10})\.?,?\s*(?:de\s+|del\s+)?(\d{4})\b"
)
#: Digits without a sign of a date between them; a bar is the edge of a box.
_BARE = re.compile(r"[\d\s|]+")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as YYYY-MM-DD, None if the text has none, and its certainty (0-1)."""

    value: str | None
    certainty: float = 1.0


def parse_date(text: str, language: str | None = None) -> WrittenDate:
    """Return the only date of a text. `language` is the writer's; in Spanish the day comes first."""
    written = plain_text(tidied(text))
    ways = (_bare_digits, _in_numbers) if _BARE.fullmatch(written) else (_in_numbers, _bare_digits)
    found = list(_named(written))
    for way in ways:
        found = found or list(way(written, language))
    best = max(found, key=lambda one: one.certainty, default=WrittenDate(None, 0.0))
    others = {one.value for one in found if one.certainty == best.certainty}
    return best if len(others) < 2 else WrittenDate(None, 0.0)


def _named(text: str) -> Iterator[WrittenDate]:
    for match in _MONTH_DAY.finditer(text):
        yield from _checked(int(match[3]), _MONTHS.get(match[1], 0), int(match[2]))
    for match in _DAY_MONTH.finditer(text):
        yield from _checked(int(match[3]), _MONTHS.get(match[2], 0), int(match[1]))


def _in_numbers(text: str, language: str | None) -> Iterator[WrittenDate]:
    for match in _YEAR_FIRST.finditer(text):
        yield from _checked(int(match[1]), int(match[2]), int(match[3]))
    for match in _YEAR_LAST.finditer(text):
        yield from _ordered(match[1], match[2], match[3], language)


def _bare_digits(text: str, language: str | None) -> Iterator[WrittenDate]:
    """Read eight or six digits without separators, as boxes of one digit each give them."""
    if any(c.isalpha() for c in text):
        return
    digits = re.sub(r"\D", "", text)
    if len(digits) == 8 and digits[:2] in ("19", "20") and digits[4:6] <= "12" and digits[4:6] != "00":
        as_last = list(_ordered(digits[:2], digits[2:4], digits[4:], language))
        yield from as_last or _checked(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    elif len(digits) == 8 or (len(digits) == 6 and not re.search(r"\d{4}", text)):
        yield from _ordered(digits[:2], digits[2:4], digits[4:], language)


def _ordered(first: str, second: str, year: str, language: str | None) -> Iterator[WrittenDate]:
    """Yield the date of two numbers and a year, in the order of the language if that is possible."""
    whole = int(year) if len(year) == 4 else (2000 if int(year) <= _LATEST else 1900) + int(year)
    sure = 1.0 if len(year) == 4 else _SHORT_YEAR
    day_first = language == "es"
    month, day = (int(second), int(first)) if day_first else (int(first), int(second))
    if right := list(_checked(whole, month, day, sure)):
        yield from right
    else:
        yield from _checked(whole, day, month, sure * _SWAPPED)


def _checked(year: int, month: int, day: int, certainty: float = 1.0) -> Iterator[WrittenDate]:
    if not 1900 <= year < 2100:
        return
    try:
        yield WrittenDate(date(year, month, day).isoformat(), certainty)
    except ValueError:
        return


# Numbers as people write them into a field: "11", "1,200", "2.5", "11 years".


_NUMBER = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])-?\d+(?:[.,]\d+)?(?!\d)")
#: Certainty of a number among words.
_AMONG_WORDS = 0.9


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number in plain digits, None if the text has none or several, and its certainty (0-1)."""

    value: str | None
    certainty: float = 1.0


def parse_number(text: str) -> WrittenNumber:
    """Return the only number of a text, with a decimal point and without thousands separators."""
    written = tidied(text)
    found = _NUMBER.findall(written)
    if len(found) != 1:
        return WrittenNumber(None, 0.0)
    number = found[0]
    thousands = re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", number) is not None
    plain = number.replace(",", "" if thousands else ".")
    head, dot, decimals = plain.partition(".")
    sign, digits = ("-", head[1:]) if head.startswith("-") else ("", head)
    value = sign + (digits.lstrip("0") or "0") + dot + decimals
    return WrittenNumber(value, 1.0 if written == number else _AMONG_WORDS)
