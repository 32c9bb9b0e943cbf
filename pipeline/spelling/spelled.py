"""Names and schools spelled from a line, with the case and the accents that stand on the page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from pipeline.profiles import FieldKind
from pipeline.spelling.alphabet import fold, letters
from pipeline.spelling.decode import Speller
from pipeline.spelling.lattice import Lattice
from pipeline.spelling.prior import names, school_words

_PRIORS = {FieldKind.PERSON: names, FieldKind.SCHOOL: school_words}
#: Kinds of value that can be spelled.
SPELLED_KINDS = frozenset(_PRIORS)
#: Letters of a word whose spelling says anything, and the least probability a letter, as a logarithm, of one that
#: is on no list: "Mkhize" has -5.4, "UAKO" -6.8, "Rqss" -7.5.
_SHORTEST, _NO_WORD = 3, -6.0
#: Share of capitals from which a whole line is taken for capitals.
_CAPITALS = 0.7
#: What a listed word makes at least of a letter that the recogniser hardly considered.
_LISTED = 0.7
#: The most that one view can say against a text, as a logarithm.
_VETO = 15.0
#: What the views must make of a grade on average, of what they could, and how much more than of any other.
_SEEN_GRADE = 8.0
_SURER_GRADE = 3.0
#: Elementary, middle and high schools by their initials.
_INITIALS = frozenset(("es", "ms", "hs"))
_SMALL_WORDS = frozenset(
    ("de", "del", "la", "las", "los", "el", "y", "of", "the", "and", "da", "dos", "van", "von", "der")
)
#: Beginnings after which a capital stands within a name.
_CAPITAL_WITHIN = re.compile(r"(?:\bMc|\bMac|\bDe|\bLa|\bLe|\bDi|\bDu|['-])$")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A line's text and how sure its letters are on average, 0-1."""

    text: str
    confidence: float


def spell(kind: FieldKind, views: Sequence[Lattice], known: str = "") -> Spelled:
    """The likeliest value of that kind (one of SPELLED_KINDS) on a line that was seen in several cuts.

    `known` is the earlier reading, a candidate too. The text is empty for an empty line.
    """
    views = [view for view in views if view.likeliest]
    if not views:
        return Spelled("", 0.0)
    speller = Speller(_PRIORS[kind](), joins=kind is FieldKind.PERSON)
    text = _likeliest(speller, views, " ".join(fold(known).split()))
    return max((_written(view, text) for view in views), key=lambda spelled: spelled.confidence)


def letter_likelihood(kind: FieldKind, text: str) -> float:
    """The logarithm of a text's probability as a value of that kind (one of SPELLED_KINDS), per letter."""
    words = word_likelihoods(kind, text)
    return sum(log for log, _ in words) / sum(count for _, count in words) if words else -math.inf


def word_likelihoods(kind: FieldKind, text: str) -> list[tuple[float, int]]:
    """The logarithm of each word's probability in a value of that kind (one of SPELLED_KINDS), and its letters."""
    prior = _PRIORS[kind]()
    return [(prior.of(token), count) for token in text.split() if (count := len(letters(token)))]


def spellable(kind: FieldKind, text: str) -> bool:
    """Whether each word of a text is one of that kind's lists or could be by its letters."""
    prior = _PRIORS[kind]()
    words = [word for token in text.split() if len(word := letters(token)) >= _SHORTEST]
    return all(prior.knows(word) or prior.of(word) >= _NO_WORD * len(word) for word in words)


def spell_grade(views: Sequence[Lattice]) -> Spelled | None:
    """Return the likeliest grade in a small field; None if it seems empty or two grades are equally likely."""
    views = [view for view in views if view]
    grades = [(grade, form) for grade, forms in _grade_forms().items() for form in forms]
    texts = [form for _, form in grades]
    total = [0.0] * len(texts)
    for view in views:
        least = max(float(view.log_likelihoods([view.likeliest])[0]), float(view.log_likelihoods([""])[0])) - _VETO
        for at, log in enumerate(view.log_likelihoods(texts)):
            total[at] += max(float(log) - least, 0.0)
    by_grade = {
        grade: max(t for t, (g, _) in zip(total, grades, strict=True) if g == grade) for grade, _ in grades
    }
    (best, first), (_, second) = sorted(by_grade.items(), key=lambda item: -item[1])[:2]
    if not views or first < _SEEN_GRADE * len(views) or first - second < _SURER_GRADE:
        return None
    return Spelled(best, round(min(first / (_VETO * len(views)), 1.0), 4))


@cache
def _grade_forms() -> dict[str, list[str]]:
    """How each grade is written into its field."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    spanish = {1: "ro", 2: "do", 3: "ro", 4: "to", 5: "to", 6: "to", 7: "mo", 8: "vo", 9: "no", 10: "mo"}
    forms = {"K": ["k", "kinder", "kindergarten"]}
    for number in range(1, 13):
        ends = {"", endings.get(number, "th"), spanish.get(number, "o"), "o"}
        forms[str(number)] = [f"{number}{end}{word}" for end in ends for word in ("", " grade", " grado")]
    return forms


def _likeliest(speller: Speller, views: Sequence[Lattice], known: str) -> str:
    """Return the candidate that is likeliest over all views; the influence of each view is limited."""
    texts = sorted({*(speller.spell(view) for view in views), *(view.likeliest for view in views), known} - {""})
    total = [0.0] * len(texts)
    for view in views:
        scores = speller.scores(view, texts)
        for at, score in enumerate(scores):
            total[at] += max(score - max(scores), -_VETO)
    return texts[max(range(len(texts)), key=lambda at: total[at])]


def _written(view: Lattice, text: str) -> Spelled:
    """A text, in letters as they are compared, as it stands on the line."""
    found = view.aligned(text)
    shares = [max(share, _LISTED) for char, share in found if char != " "]
    return (
        Spelled(_cased("".join(char for char, _ in found)), round(fmean(shares), 4))
        if shares
        else Spelled("", 0.0)
    )


def _cased(text: str) -> str:
    capitals = [char.isupper() for char in text if char.isalpha()]
    if capitals and sum(capitals) >= _CAPITALS * len(capitals) and len(capitals) > 3:
        return text.upper()
    return " ".join(_cased_word(word, first=at == 0) for at, word in enumerate(text.split()))


def _cased_word(word: str, first: bool) -> str:
    """A hand's "S" and "s" look alike: a word begins with a capital and goes on in small letters."""
    if word.casefold() in _INITIALS:
        return word.upper()
    if word.casefold() in _SMALL_WORDS and not first:
        return word.casefold() if word[0].islower() else word.capitalize()
    cased = ""
    for char in word:
        begins = not any(c.isalpha() for c in cased) or cased[-1:] == "-"
        within = char.isupper() and _CAPITAL_WITHIN.search(cased) is not None
        cased += char.upper() if begins else char if within else char.lower()
    return cased
