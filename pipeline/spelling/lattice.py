"""The letter probabilities of a line, packed as text, and the likeliest spelling by them.

A recogniser trained by connectionist temporal classification gives, for every step along the line, the probability
of each letter and of no letter (the blank). Graves et al., "Connectionist Temporal Classification" (ICML 2006),
section 4.1, sum these over all ways in which the steps can spell a text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from pipeline.profiles import FieldKind
from pipeline.spelling.prior import Prior, all_names, fold_text, folded_char, letters, school_words

# Lattices as short texts, stored with a value: about ten bytes per letter of the line.
#
# A step is written as the level of its blank followed by its letters, each with its level: "ZeAcK". A level is a
# capital (folded letters are never capitals): the negative logarithm of a probability in steps of a quarter, from
# "A" for 1 to "Y"; "Z" stands for 0.


_BASE, _LAST = ord("A"), ord("Z")
#: Levels within one unit of the natural logarithm.
_SCALE = 4
#: Less probable letters are left out.
_LEAST = 0.004
#: Most letters kept of a step.
_MOST = 5
_STEP = re.compile(r"[A-Z](?:[^A-Z][A-Z])*")


def pack_lattice(lattice: Lattice) -> str:
    """Return a lattice as a text.

    Of successive equal steps without doubt only one is kept, which spells the same.
    """
    steps: list[str] = []
    for shares in lattice.steps:
        step = "".join(_parts(shares))
        if not (steps and steps[-1] == step and len(step) in (1, 3) and "A" in step):
            steps.append(step)
    return "".join(steps)


def unpacked(text: str) -> Lattice:
    return Lattice(tuple(_shares(step) for step in _STEP.findall(text)))


def _parts(shares: dict[str, float]) -> Iterator[str]:
    alike: dict[str, float] = {}
    for char, share in shares.items():
        if not char or folded_char(char):
            key = folded_char(char) if char else ""
            alike[key] = alike.get(key, 0.0) + share
    yield _level(alike.pop("", 0.0))
    for char in sorted(alike, key=lambda char: (-alike[char], char))[:_MOST]:
        if alike[char] >= _LEAST:
            yield char + _level(alike[char])


def _level(share: float) -> str:
    return chr(min(_BASE + round(-_SCALE * math.log(share)), _LAST)) if share > 0 else chr(_LAST)


def _shares(step: str) -> dict[str, float]:
    found = {"": _share(step[0])}
    return found | {step[at]: _share(step[at + 1]) for at in range(1, len(step), 2)}


def _share(level: str) -> float:
    return 0.0 if ord(level) == _LAST else math.exp((_BASE - ord(level)) / _SCALE)


# Names and schools spelled from a line, with the case and accents of the page.


_PRIORS = {FieldKind.PERSON: all_names, FieldKind.SCHOOL: school_words}
#: Kinds of value that can be spelled.
SPELLED_KINDS = frozenset(_PRIORS)
#: Least letters of a word whose spelling is evidence, and least log-probability per letter of an unlisted word:
#: "Mkhize" has -5.4, "UAKO" -6.8, "Rqss" -7.5.
_SHORTEST, _NO_WORD = 3, -6.0
#: Share of capitals from which a line counts as all capitals.
_CAPITALS = 0.7
#: Least confidence of a letter in a listed word, even if the recogniser hardly considered the letter.
_LISTED = 0.7
#: Most evidence (logarithm) of the middle view for the earlier reading against a likelier text. Measured on lines
#: of held-out hands, half of them with words taken out of the lists (ADR 9).
_AGAINST = 3.0
#: Most evidence (logarithm) of one view against a text.
_VETO = 15.0
#: Least mean gain (logarithm, at most _VETO) of a grade over the views, and least lead over any other grade.
_SEEN_GRADE = 8.0
_SURER_GRADE = 3.0
#: Elementary, middle and high schools by their initials.
_INITIALS = frozenset(("es", "ms", "hs"))
_SMALL_WORDS = frozenset(
    ("de", "del", "la", "las", "los", "el", "y", "of", "the", "and", "da", "dos", "van", "von", "der")
)
#: Prefixes that are followed by a capital within a name.
_CAPITAL_WITHIN = re.compile(r"(?:\bMc|\bMac|\bDe|\bLa|\bLe|\bDi|\bDu|['-])$")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A line's text and the mean confidence of its letters, 0-1."""

    text: str
    confidence: float


def spell(kind: FieldKind, views: Sequence[Lattice], known: str = "") -> Spelled:
    """Return the likeliest value of that kind (one of SPELLED_KINDS) on a line seen in several crops.

    `known` is the earlier reading, which is also a candidate. It stands where only the lists are for another text
    and the line itself is clearly for it. The text is empty for an empty line.
    """
    views = [view for view in views if view.likeliest]
    if not views:
        return Spelled("", 0.0)
    speller = Speller(_PRIORS[kind](), joins=kind is FieldKind.PERSON)
    said = " ".join(fold_text(known).split())
    text = _likeliest(speller, views, said)
    if said and median(_evidence(view, said, text) for view in views) > _AGAINST:
        text = said
    return max((_written(view, text) for view in views), key=lambda spelled: spelled.confidence)


def _evidence(view: Lattice, one: str, other: str) -> float:
    """Return the logarithm of how much likelier a view makes one text than the other."""
    first, second = view.log_likelihoods([one, other])
    return float(first - second)


def letter_likelihood(kind: FieldKind, text: str) -> float:
    """Return the logarithm of a text's probability as a value of that kind (one of SPELLED_KINDS), per letter."""
    words = word_likelihoods(kind, text)
    return sum(log for log, _ in words) / sum(count for _, count in words) if words else -math.inf


def word_likelihoods(kind: FieldKind, text: str) -> list[tuple[float, int]]:
    """Return each word's log-probability in a value of that kind (one of SPELLED_KINDS) and its letters."""
    prior = _PRIORS[kind]()
    return [(prior.of(token), count) for token in text.split() if (count := len(letters(token)))]


def spellable(kind: FieldKind, text: str) -> bool:
    """Whether each word of a text is in that kind's lists or could be by its letters."""
    prior = _PRIORS[kind]()
    words = [word for token in text.split() if len(word := letters(token)) >= _SHORTEST]
    return all(prior.knows(word) or prior.of(word) >= _NO_WORD * len(word) for word in words)


def listed(kind: FieldKind, text: str) -> bool:
    """Whether each word of a text is in that kind's lists."""
    words = (letters(token) for token in text.split())
    return all(_PRIORS[kind]().knows(word) for word in words if len(word) >= _SHORTEST)


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


def written_forms(kind: FieldKind, value: str) -> list[str]:
    """Return the ways to write a value on its line, in folded letters; more than one for a grade."""
    folded = fold_text(value)
    return _grade_forms().get(value, [folded]) if kind is FieldKind.GRADE else [folded]


@cache
def _grade_forms() -> dict[str, list[str]]:
    """The ways to write each grade into its field."""
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
    """Return a text (folded letters) with the case and accents of the line."""
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
    """Return a word with a capital first letter and small ones after it: handwritten "S" and "s" look alike."""
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


# Find the likeliest spelling of a line from recognition probabilities and a prior over words.


#: Weight of a recogniser's likelihood relative to the prior: measured over names of the development corpus, with
#: and without their words in the list.
_SEEN = 1.35
_ROUNDS = 3
_TOKEN = re.compile(r"^([^a-z]*)(.*?)([^a-z]*)$")
#: Least length of a token that may be two words.
_TWO_WORDS = 5


@dataclass(frozen=True, slots=True)
class Speller:
    """Spells the lines of one kind of value."""

    prior: Prior
    #: Whether two tokens may be one.
    joins: bool

    def spell(self, lattice: Lattice) -> str:
        """Return the likeliest text, in folded letters."""
        best = lattice.likeliest
        if not best:
            return best
        score = self.scores(lattice, [best])[0]
        for _ in range(_ROUNDS):
            texts = sorted(set(self._variants(best.split())))
            if not texts:
                break
            scores = self.scores(lattice, texts)
            likeliest = max(range(len(texts)), key=lambda i: scores[i])
            if scores[likeliest] <= score:
                break
            best, score = texts[likeliest], scores[likeliest]
        return best

    def scores(self, lattice: Lattice, texts: list[str]) -> list[float]:
        """Return the logarithms of the texts' probabilities, up to a constant of the line."""
        seen = lattice.log_likelihoods(texts)
        return [
            _SEEN * float(log) + sum(self.prior.of(token) for token in text.split())
            for log, text in zip(seen, texts, strict=True)
        ]

    def _variants(self, tokens: list[str]) -> Iterable[str]:
        """Yield the line with one token respelled, split in two or joined with the next."""
        for at, token in enumerate(tokens):
            before, after = tokens[:at], tokens[at + 1 :]
            for other in self._others(token):
                yield " ".join([*before, other, *after])
            for joined in self._joined(token, after):
                yield " ".join([*before, joined, *after[1:]])

    def _joined(self, token: str, after: list[str]) -> Iterable[str]:
        """Yield listed words that a token may form with the next."""
        if not self.joins or not after or not (token + after[0]).isalpha():
            return
        joined = token + after[0]
        if self.prior.knows(joined):
            yield joined
        yield from self.prior.near(joined)

    def _others(self, token: str) -> Iterable[str]:
        found = _TOKEN.match(token)
        assert found is not None
        head, core, tail = found.groups()
        parts = re.split(r"([-'])", core)
        for at, part in enumerate(parts):
            for near in self.prior.near(letters(part)):
                respelled = "".join([*parts[:at], near, *parts[at + 1 :]])
                yield from {head + respelled + tail, respelled}
        if head or tail.strip("."):
            yield core
        if len(core) >= _TWO_WORDS:
            for at in range(1, len(core) - 1):
                one, two = core[:at], core[at:]
                if (at == 1 or self.prior.knows(letters(one))) and self.prior.knows(letters(two)):
                    yield f"{head}{one} {two}{tail}"


# The letter probabilities at each step of a line, and the likelihood of a text given them.


#: Steps as a provider keeps them: letters with their probabilities; "" is the blank. Rare letters are left out.
Steps = Sequence[dict[str, float]]
_LOWEST = 1e-5
_NEVER = -1e9
_ALL = "".join(chr(code) for code in range(32, 127) if not chr(code).isupper())
_COLUMN = {char: at + 1 for at, char in enumerate(_ALL)}


@dataclass(frozen=True)
class Lattice:
    """The steps of one line."""

    steps: Steps

    def __bool__(self) -> bool:
        return bool(self.steps)

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        """Steps x letters (the blank first): logarithms of the probabilities of folded letters."""
        shares = np.full((len(self.steps), len(_ALL) + 1), 0.0)
        for row, step in zip(shares, self.steps, strict=True):
            for char, share in step.items():
                if char == "":
                    row[0] += share
                elif column := _COLUMN.get(folded_char(char)):
                    row[column] += share
        return np.asarray(np.log(shares + _LOWEST))

    @cached_property
    def likeliest(self) -> str:
        """The text of the likeliest letters of the steps (greedy decoding), in folded letters."""
        text, last = [], 0
        for column in self._logs.argmax(axis=1):
            if column and column != last:
                text.append(_ALL[column - 1])
            last = column
        return " ".join("".join(text).split())

    def log_likelihoods(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log-likelihood of each text (folded letters) given the line, over all ways to spell it."""
        labels, skips, lengths = _labels(texts)
        emitted = self._logs[:, labels]
        alpha = np.full(labels.shape, _NEVER)
        alpha[:, :2] = emitted[0, :, :2]
        for step in emitted[1:]:
            stay = np.logaddexp(alpha, _shifted(alpha, 1))
            alpha = np.logaddexp(stay, np.where(skips, _shifted(alpha, 2), _NEVER)) + step
        rows = np.arange(len(texts))
        before = np.where(lengths > 1, alpha[rows, np.maximum(lengths - 2, 0)], _NEVER)
        return np.asarray(np.logaddexp(alpha[rows, lengths - 1], before))

    def aligned(self, text: str) -> list[tuple[str, float]]:
        """Return for each character of a text its letter on the line, with the letter's probability.

        The letter has its case and accents; a letter that the recogniser did not consider is unchanged, with 0.
        """
        if not self.steps or not text:
            return [(char, 0.0) for char in text]
        spans = self._spans(text)
        return [_letter(char, [self.steps[i] for i in at]) for char, at in zip(text, spans, strict=True)]

    def _spans(self, text: str) -> list[list[int]]:
        """Return the steps of each character on the likeliest path (Viterbi)."""
        labels, skips, _ = _labels([text])
        emitted, skip = self._logs[:, labels[0]], skips[0]
        best = np.full(emitted.shape, _NEVER)
        came = np.zeros(emitted.shape, dtype=int)
        best[0, :2] = emitted[0, :2]
        for t in range(1, len(emitted)):
            ways = np.stack([best[t - 1], _shifted(best[t - 1 : t], 1)[0], _shifted(best[t - 1 : t], 2)[0]])
            ways[2, ~skip] = _NEVER
            came[t] = ways.argmax(axis=0)
            best[t] = ways.max(axis=0) + emitted[t]
        at = len(labels[0]) - 1
        if best[-1, at - 1] > best[-1, at]:
            at -= 1
        spans: list[list[int]] = [[] for _ in text]
        for t in range(len(emitted) - 1, -1, -1):
            if at % 2:
                spans[at // 2].insert(0, t)
            at -= int(came[t, at])
        return spans


def in_one_line(rows: Sequence[Lattice]) -> Lattice:
    """Return the lattice of rows joined in one line, with a space between them."""
    steps: list[dict[str, float]] = []
    for row in rows:
        steps += [*([{"": 0.4, " ": 0.6}] if steps else []), *row.steps]
    return Lattice(tuple(steps))


def _labels(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Return texts x places with a blank around every letter, the blanks that may be skipped, and lengths."""
    lengths = np.array([2 * len(text) + 1 for text in texts])
    labels = np.zeros((len(texts), max(int(lengths.max()), 2)), dtype=np.int64)
    for row, text in zip(labels, texts, strict=True):
        row[1 : 2 * len(text) : 2] = [_COLUMN[char] for char in text]
    skips = np.zeros(labels.shape, dtype=bool)
    skips[:, 2:] = (labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])
    return labels, skips, lengths


def _shifted(alpha: NDArray[np.float64], by: int) -> NDArray[np.float64]:
    moved = np.full(alpha.shape, _NEVER)
    moved[:, by:] = alpha[:, :-by]
    return moved


def _letter(char: str, steps: Steps) -> tuple[str, float]:
    shares: dict[str, float] = {}
    whole = 0.0
    for step in steps:
        alike = {c: share for c, share in step.items() if c and folded_char(c) == char}
        whole = max(whole, sum(alike.values()))
        for c, share in alike.items():
            shares[c] = shares.get(c, 0.0) + share
    return (max(shares, key=lambda c: shares[c]), whole) if shares else (char, 0.0)
