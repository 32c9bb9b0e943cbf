"""Tell persons' names from other text."""

from __future__ import annotations

import re
from pathlib import Path

from rapidfuzz import fuzz, process

from pipeline.extraction.values.schools import has_school_word
from pipeline.extraction.values.text import plain, squeezed, tidy
from pipeline.profiles import PrintedRole, all_profiles
from pipeline.profiles.generation import by_generation

_NAME_CHARS = re.compile(r"^[^\W\d_]+(?:['’.\-‐ ][^\W\d_]*)*\.?$")
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b"
    r"|\b\d{1,2}[/.-]\d{1,2}\b|\b(?:19|20)\d\d\b"
)
#: A text of at least this many letters with this similarity (0-100) to a label is a label.
_LABEL_LETTERS = 9
_LABEL_LIKENESS = 70
_PARTICLES = {
    "de",
    "la",
    "las",
    "los",
    "del",
    "da",
    "dos",
    "van",
    "von",
    "der",
    "den",
    "el",
    "al",
    "bin",
    "ibn",
    "y",
    "san",
    "santa",
    "di",
    "le",
    "st",
    "mc",
    "jr",
    "sr",
    "ii",
    "iii",
    "iv",
    "o",
}
#: Letters of the languages that these are of: "Mỹ" is a name, though "my" is none.
_OWN_LETTERS = re.compile(r"[a-záéíóúüñ/]+")
#: Scripts that write a whole name as one word.
_ONE_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
#: Words of sentences and headings; a line made of them is not a name.
_NOT_NAMES = frozenset((Path(__file__).parent / "sentence_words.txt").read_text(encoding="utf-8").split())
_TITLES = re.compile(
    r"^(?:mr|mrs|ms|miss|mx|dr|prof|sr|sra|srta|maestr[oa]|teacher|coach|principal)\b\.?", re.IGNORECASE
)


def person_certainty(text: str) -> float:
    """Return the certainty (0-1) that a text is one person's full name; 0 means that it cannot be one."""
    name = tidy(text).strip(" ,;:-")
    bare = plain(name)
    words = [w.strip(".,'") for w in bare.replace("-", " ").split()]
    if (
        not words
        or len(squeezed(name)) < 2
        or len(words) > 7
        or (_DATE.search(bare) and any(c.isdigit() for c in bare))
    ):
        return 0.0
    strange = sum(map(_is_strange, name.replace("-", " ").split()))
    if (
        is_print(name)
        or "@" in name
        or 2 * sum(map(str.isalpha, name)) < sum(map(str.isalnum, name))
        or strange > 1
        or strange == len(words)
        or (any(c.isdigit() for c in name) and not any(w.isalpha() and len(w) > 1 for w in words))
    ):
        return 0.0
    # Some people are called Page or Will or An, but most lines with such a word are not names.
    certainty = 0.6 if strange else 1.0
    if not _NAME_CHARS.match(name.replace(",", "")):
        certainty = min(certainty, 0.5)
    if any(c.isdigit() for c in name):
        certainty = min(certainty, 0.4)
    letters = [w for w in words if len(w) > 1 and w not in _PARTICLES]
    if len(letters) < 2 and not _ONE_WORD.search(name):
        certainty = min(certainty, 0.7)
    if len(words) > 5 or has_school_word(name):
        certainty = min(certainty, 0.4)
    if any(w.isascii() and not re.search(r"[aeiouy]", w) and len(w) > 3 for w in letters):
        certainty = min(certainty, 0.6)
    if name[:1].islower():
        certainty = min(certainty, 0.85)
    return certainty


def _is_strange(word: str) -> bool:
    own = word.strip(".,'").casefold()
    return plain(own) in _NOT_NAMES and _OWN_LETTERS.fullmatch(own) is not None


def is_date(text: str) -> bool:
    """Whether a text names a month or has a date in figures."""
    return any(c.isdigit() for c in text) and bool(_DATE.search(plain(text)))


def counts_as_sentence(text: str) -> bool:
    """Whether two of its words, or all, are of the kind that sentences and headings are made of."""
    words = [w.strip(".,'!?\"") for w in plain(text).split()]
    strange = sum(w in _NOT_NAMES for w in words)
    return strange > 1 or strange == len(words)


def is_teacher(text: str) -> bool:
    """Whether a text begins with a form of address, as a pupil's name never does."""
    return bool(_TITLES.match(tidy(text)))


def is_print(text: str) -> bool:
    """Whether a text is only a label, title or rule of some form, or part of one."""
    bare = squeezed(text)
    if len(bare) < 3 or any(c.isdigit() for c in bare):
        return False
    prints, in_part = _short_prints()
    if process.extractOne(bare, prints, scorer=fuzz.ratio, score_cutoff=88) is not None:
        return True
    return len(bare) >= 8 and any(bare in print_ for print_ in in_part)


def is_misread_label(text: str) -> bool:
    """Whether a recognised text is probably a misread label of a form."""
    bare = squeezed(text)
    if len(bare) < _LABEL_LETTERS or has_school_word(text):
        return False
    return any(fuzz.ratio(bare, label) >= _LABEL_LIKENESS for label in _labels())


@by_generation
def _labels() -> frozenset[str]:
    """Return the printed labels, those of each language separately."""
    printed = (p for profile in all_profiles().values() for p in profile.printed if p.role is PrintedRole.LABEL)
    return frozenset(squeezed(part) for p in printed for text in p.texts for part in text.split("/"))


@by_generation
def _short_prints() -> tuple[frozenset[str], frozenset[str]]:
    """Return what forms print except rules and notes, and those texts of which a part counts as well.

    A part of what a form of the database prints may well be a name on a page of another.
    """
    roles = (PrintedRole.RULE, PrintedRole.NOTE)
    printed = [(one, p) for one in all_profiles().values() for p in one.printed if p.role not in roles]
    texts = [(squeezed(text), profile.version is None) for profile, p in printed for text in p.texts]
    return frozenset(text for text, _ in texts), frozenset(text for text, in_part in texts if in_part)


def same_person(a: str, b: str) -> bool:
    """Whether two readings name one person: same spelling, or one without a middle name or with an initial."""
    one, two = plain(a).replace(".", "").split(), plain(b).replace(".", "").split()
    if fuzz.ratio("".join(one), "".join(two)) >= 90:
        return True
    short, long = sorted((one, two), key=len)
    return len(short) >= 2 and all(any(w == v or (len(w) == 1 and v.startswith(w)) for v in long) for w in short)
