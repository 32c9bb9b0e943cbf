"""What the labeller sees of each word: the word if it is a telling one, its letters, its shape, its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.extraction.labelling.lexicon import commonness, is_telling, name_rank, school_kind, word_class
from pipeline.extraction.labelling.words import Gap, LabelLine, LabelWord
from pipeline.extraction.values.text import plain

#: A year of a date.
_YEARS = range(1990, 2041)
_SENTENCE_END = (".", "!", "?")
#: In front of a feature that is three letters of a word.
LETTERS = "3="


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a word says by itself."""

    bare: str
    #: The word where it is telling, else a star.
    word: str
    kind: str
    shape: str
    common: str
    #: How common it is as a given name, and as a surname.
    given: str
    surname: str
    school: str
    gap: str
    #: The features of these, and those of its letters.
    own: tuple[str, ...]
    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _LineSeen:
    """What a line says of each of its words."""

    words: int
    #: Share of its words that are common in a language (0-4).
    prose: int
    ends_sentence: bool
    capitals: str


def features_of(lines: Sequence[LabelLine]) -> list[list[str]]:
    """Return the features of each word of the lines, in reading order."""
    seen = [[_word_seen(word) for word in line.words] for line in lines]
    seen_lines = [_line_seen(line, words) for line, words in zip(lines, seen, strict=True)]
    often = Counter(s.bare for words in seen for s in words if len(s.bare) > 2 and s.shape[:1] == "X")
    found: list[list[str]] = []
    for number, words in enumerate(seen):
        shared = _line_features(lines, seen_lines, number)
        pieces = _pieces(words)
        for place in range(len(words)):
            found.append([*shared, *_own(words[place], often), *_place(words, pieces[place], place)])
    return found


def _word_seen(word: LabelWord) -> _Seen:
    return _seen_as(word.text, word.gap)


@lru_cache(maxsize=8192)
def _seen_as(text: str, gap: str) -> _Seen:
    bare = plain(text)
    if not text[0].isalnum():
        return _seen(bare, bare[:1], "sign", "sign", gap)
    if "@" in bare:
        return _seen(bare, "*", "mail", "mail", gap)
    if bare[0].isdigit():
        number = _number(bare)
        return _seen(bare, "*", number, number, gap)
    known = bare if is_telling(bare) else "*"
    by_lists = commonness(bare), *_name(bare), school_kind(bare)
    return _seen(bare, known, word_class(bare), _shape(text), gap, *by_lists)


def _seen(
    bare: str,
    word: str,
    kind: str,
    shape: str,
    gap: str,
    common: str = "",
    given: str = "",
    surname: str = "",
    school: str = "",
) -> _Seen:
    own = (
        f"w={word}",
        f"k={kind}",
        f"s={shape}",
        f"s,c={shape},{common}",
        f"n={given}{surname}",
        f"g,c={given},{common[:1]}",
        f"n,c={surname},{common[:1]}",
        f"h={school}",
        f"h,n={school},{given < '5'},{surname < '5'}",
        f"g,s={given},{shape}",
    )
    ends = f"^{bare}$"
    letters = tuple(f"{LETTERS}{ends[at : at + 3]}" for at in range(len(ends) - 2)) if common else ()
    return _Seen(bare, word, kind, shape, common, given, surname, school, gap, own, letters)


def _name(bare: str) -> tuple[str, str]:
    """How common the commonest part of a word is as a given name, and as a surname."""
    ranks = [name_rank(part) for part in re.split(r"[-'’‐]", bare) if part]
    return min(rank[0] for rank in ranks), min(rank[1] for rank in ranks)


def _number(bare: str) -> str:
    digits = re.match(r"\d+", bare)
    assert digits is not None
    if digits.group() != bare:
        return "nth" if int(digits.group()) <= 12 else "nth+"
    value = int(bare)
    if bare[0] == "0" or len(bare) > 4:
        return "n0"
    if value <= 12:
        return "n12"
    if value <= 31:
        return "n31"
    return "year" if value in _YEARS else f"n{len(bare)}"


def _shape(text: str) -> str:
    if text.isupper():
        return "X" if len(text) == 1 else "XX" if len(text) < 4 else "XXX"
    if text[0].isupper():
        return "Xx" if text[1:].islower() or not text[1:].isalpha() else "XxX"
    return "x" if text.islower() else "xX"


def _line_seen(line: LabelLine, seen: Sequence[_Seen]) -> _LineSeen:
    spoken = [s for s in seen if s.shape != "sign"]
    prose = sum(s.common[:1] < "2" or s.common[1:] < "2" for s in spoken if s.common)
    letters = [s.shape[0] for s in spoken if s.shape[0] in "Xx"]
    capitals = "none" if not letters else f"{round(4 * letters.count('X') / len(letters))}"
    return _LineSeen(
        words=len(spoken),
        prose=min(4, round(6 * prose / len(spoken))) if spoken else 0,
        ends_sentence=line.words[-1].text.startswith(_SENTENCE_END),
        capitals=capitals,
    )


def _line_features(lines: Sequence[LabelLine], seen_lines: Sequence[_LineSeen], number: int) -> list[str]:
    line, look = lines[number], seen_lines[number]
    size = min(look.words, 14) if look.words < 8 else 8 + (look.words - 8) // 4
    found = [
        f"l.at={min(number, 5)}",
        f"l.size={size}",
        f"l.prose={look.prose}",
        f"l.caps={look.capitals}",
        f"l.size,prose={min(size, 9)},{look.prose}",
        f"l.end={look.ends_sentence}",
        f"l.blank={line.after_blank},{line.before_blank}",
    ]
    if line.indented:
        found.append("l.indented")
    for name, other in (("before", number - 1), ("after", number + 1)):
        if 0 <= other < len(lines):
            near = seen_lines[other]
            blank = line.after_blank if name == "before" else line.before_blank
            found.append(f"l.{name}={blank},{min(near.words // 3, 5)},{near.prose},{near.ends_sentence}")
        else:
            found.append(f"l.{name}=none")
    above = any(one.prose >= 2 and one.words >= 8 for one in seen_lines[:number])
    return [*found, f"l.text_above={above},{line.after_blank}"]


def _own(own: _Seen, often: Counter[str]) -> list[str]:
    again = (f"again={min(often[own.bare], 3)}",) if often[own.bare] > 1 else ()
    return [*own.own, *again, *own.letters]


@dataclass(frozen=True, slots=True)
class _Piece:
    """The words of a line that wide gaps and signs set apart."""

    first: int
    words: int
    #: What begins and ends it.
    edges: str
    #: What it says of each of its words.
    shared: tuple[str, ...]
    kinds: tuple[str, ...]


def _pieces(words: Sequence[_Seen]) -> list[_Piece]:
    """Return the piece around each word of a line; that around a sign reaches to the signs beside it."""
    firsts, lasts = list(range(len(words))), list(range(len(words)))
    for at in range(1, len(words)):
        if words[at].gap not in (Gap.WIDE, Gap.LINE) and words[at - 1].shape != "sign":
            firsts[at] = firsts[at - 1]
    for at in range(len(words) - 2, -1, -1):
        if words[at + 1].gap != Gap.WIDE and words[at + 1].shape != "sign":
            lasts[at] = lasts[at + 1]
    bounds = list(zip(firsts, lasts, strict=True))
    known = {bound: _piece(words, *bound) for bound in dict.fromkeys(bounds)}
    return [known[bound] for bound in bounds]


def _piece(words: Sequence[_Seen], first: int, last: int) -> _Piece:
    piece = words[first : last + 1]
    names = sum(s.given < "5" or s.surname < "5" for s in piece if s.given)
    before = words[first - 1].word if first > 0 and words[first - 1].shape == "sign" else words[first].gap
    after = words[last + 1].word if last + 1 < len(words) and words[last + 1].shape == "sign" else "end"
    shared = (
        f"piece.names={min(len(piece), 6)},{min(names, 4)}",
        f"piece.leads={min(len(piece), 4)},{piece[0].given},{piece[-1].surname}",
        f"piece.h={min(len(piece), 4)},{next((s.school for s in piece if s.school), '')}",
        f"piece.edges={before},{after}",
    )
    kinds = sorted({s.kind for s in piece if s.kind and s.kind not in ("particle", "me")})
    return _Piece(first, len(piece), f"{before},{after}", shared, tuple(f"piece.k={kind}" for kind in kinds[:4]))


def _place(words: Sequence[_Seen], piece: _Piece, place: int) -> list[str]:
    """The place in the line, and in the piece of it that wide gaps and signs set apart."""
    return [
        f"gap={words[place].gap}",
        f"p={min(place, 6)}",
        f"p.end={min(len(words) - 1 - place, 4)}",
        f"piece={min(piece.words, 8)},{min(place - piece.first, 4)}",
        *piece.shared,
        f"piece.edges,s={piece.edges},{words[place].shape}",
        *piece.kinds,
    ]
