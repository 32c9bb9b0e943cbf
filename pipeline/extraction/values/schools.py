"""School names: tell them from other lines, remove rooms, match them with a list of known schools."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pipeline.extraction.values.text import plain, squeezed, tidy

_SCHOOL_WORD = re.compile(
    r"\b(?:schools?|academy|academia|acad|elementary|elem|middle|high|jr\.? high|junior high"
    r"|primary|magnet|charter|prep"
    r"|preparatory|montessori|college|institute|campus|escuela|colegio|primaria|secundaria|liceo|instituto|lyceum"
    r"|conservatory|seminary|learning center|[hme]\.s|k-8|gifted center|early childhood center)(?=\b|\d)"
)
#: Only in capitals at the end: "es" and "ms" are words too.
_SCHOOL_LETTERS = re.compile(r"\b(?:HS|MS|ES)(?:$|(?<=[A-Za-z] [HME]S)\d{2,4}$)")
_ROOM = re.compile(
    r"(?>(?:(?<![\s,;/\-–(#])[\s,;/\-–(#]++)?)\b(?:room|rm|salon|salón|aula|homeroom|hr)\b\.?"
    r"\s*+(?:no\.?|#|:)?\s*+#?\w{0,2}-?\d{1,4}\w?\)?|(?>(?:(?<![\s,;/\-–])[\s,;/\-–]++)?)#\s*+\d{1,4}\b",
    re.IGNORECASE,
)
#: "HS117" after a name is a room, and so is "/117"; "MS 118" by itself is a name.
_GLUED = re.compile(r"(?:(?<=[A-Za-z]{3})|(?<=[A-Za-z] [HME]S))(?:[/(–-]|\s\()?\d{2,4}\)?$")
_TRAILING = re.compile(r"(?<!\s)\s++\d{3,4}$")
#: Limit of spellings that are compared with the best one.
_MOST = 8
#: Least similarity (0-100) of a school that is offered to a person.
_LIKELY = 55.0


def has_school_word(text: str) -> bool:
    """Whether a text contains a word for a school."""
    return bool(_SCHOOL_WORD.search(plain(text)) or _SCHOOL_LETTERS.search(text.strip()))


def is_sure_school(text: str) -> bool:
    """Whether a line is a school's name rather than a sentence about school."""
    words = tidy(text).split()
    return (
        has_school_word(text)
        and len(words) <= 9
        and not re.search(r"(?<!elem)(?<!acad)(?<!sch)(?<!hs)(?<!\.s)[.!?,]\s*$", text.rstrip().lower())
    )


def without_room(text: str) -> tuple[str, bool]:
    """Return the name without a room written after it, and whether there was one."""
    name = tidy(text)
    bare = _TRAILING.sub("", _GLUED.sub("", _ROOM.sub(" ", name))) if not _numbered(name) else name
    bare = tidy(bare).strip(" ,;:-–(/")
    return bare, bare != name.strip(" ,;:-–(/")


def _numbered(name: str) -> bool:
    """Whether the number is part of the name: "Public School 12" and "P.S. 118"."""
    return bool(
        re.search(r"\b(?:[pi]\.?\s?s\.?|public school|district|distrito|no\.?)\s*#?\d+$", name, re.IGNORECASE)
    )


def ends_in_room(text: str) -> bool:
    """Whether a number is joined to the last word, as only rooms are ("Juniper School101")."""
    return bool(_GLUED.search(tidy(text)))


def school_certainty(text: str) -> float:
    """Return the certainty (0-1) that a text is a school's name; 0 means that it cannot be one."""
    bare, room = without_room(text)
    letters = squeezed(bare)
    if (len(re.sub(r"\d", "", letters)) < 3 and not _numbered(bare)) or "@" in bare or len(bare.split()) > 10:
        return 0.0
    if letters in {"school", "escuela", "schoolescuela", "elementary", "grade", "grado", "none", "home"}:
        return 0.0
    certainty = 0.75 if room else 1.0
    if any(c.isdigit() for c in bare) and not _numbered(bare):
        certainty = min(certainty, 0.7)
    if not has_school_word(bare) and len(letters) < 4:
        certainty = min(certainty, 0.7)
    return certainty


class SchoolSpellings:
    """The spellings of known schools, prepared to be compared with a text."""

    def __init__(self, schools: Mapping[str, Sequence[str]]) -> None:
        """`schools` gives the aliases of each canonical name."""
        #: By the levels in the school's name: the cores of spellings, and the number and school of each.
        self._by_levels: dict[frozenset[str], tuple[list[str], list[tuple[int, str]]]] = {}
        self._number = 0
        for name, aliases in schools.items():
            for spelling in (name, *aliases):
                self.add(name, spelling)

    def add(self, school: str, spelling: str) -> None:
        """Add a spelling of a school."""
        cores, owners = self._by_levels.setdefault(_levels(school), ([], []))
        cores.append(_core(spelling))
        owners.append((self._number, school))
        self._number += 1

    def similar(self, text: str, cutoff: float) -> list[tuple[str, float]]:
        """Return up to eight spellings that match, the most similar first: (school, similarity of 0-100).

        Schools of another level (elementary, middle, high) do not match.
        """
        wanted, levels = _core(without_room(text)[0]), _levels(text)
        hits = [
            (-float(likeness), *owners[at])
            for own, (cores, owners) in self._by_levels.items()
            if _agree(own, levels)
            for _, likeness, at in process.extract(
                wanted, cores, scorer=fuzz.ratio, limit=_MOST, score_cutoff=cutoff
            )
        ]
        return [(school, -unlike) for unlike, _, school in sorted(hits)[:_MOST]]


def match_school(
    text: str, schools: Mapping[str, Sequence[str]], cutoff: float = 88.0
) -> tuple[str, float] | None:
    """Return the best matching known school with its similarity (0-100); None without a clear match.

    `schools` gives the aliases of each canonical name.
    """
    hits = SchoolSpellings(schools).similar(text, cutoff)
    if not hits:
        return None
    best, likeness = hits[0]
    rivals = [hit for hit in hits[1:] if hit[0] != best and hit[1] > likeness - 4]
    return None if rivals else (best, likeness)


def likely_schools(text: str, schools: Mapping[str, Sequence[str]], limit: int) -> list[tuple[str, float]]:
    """Return the known schools that a text may mean, most similar first, with their similarity (0-100).

    Unlike `match_school`, this is for a person to choose from: a part of a name is enough, and a school of another
    level is only put after the others.
    """
    spelt = [(_core(spelling), name) for name, aliases in schools.items() for spelling in (name, *aliases)]
    wanted, levels = _core(without_room(text)[0]), _levels(text)
    likeness: dict[str, float] = {}
    for _, similar, at in process.extract(
        wanted, [core for core, _ in spelt], scorer=fuzz.WRatio, limit=None, score_cutoff=_LIKELY
    ):
        name = spelt[at][1]
        likeness[name] = max(likeness.get(name, 0.0), float(similar))
    ordered = sorted(likeness.items(), key=lambda one: (not _agree(_levels(one[0]), levels), -one[1], one[0]))
    return ordered[:limit]


def misspelled_school(text: str, schools: Mapping[str, Sequence[str]]) -> str | None:
    """Return the one known school of which a text is a misspelling; None where none is, or two may be.

    Each word begins right and has at most one letter wrong, missing, added or swapped; one of eight letters two.
    Words of three letters, and numbers, are as they should be. A school of another level is not meant.
    """
    written = _spelled_out(without_room(text)[0])
    levels = _levels(" ".join(written))
    wrong: dict[str, int] = {}
    for name, aliases in schools.items():
        for spelling in (name, *aliases) if _agree(_levels(name), levels) else ():
            letters = _letters_wrong(written, _words_of(spelling))
            if letters is not None:
                wrong[name] = min(letters, wrong.get(name, letters))
    least = [name for name, letters in wrong.items() if letters == min(wrong.values())]
    return least[0] if len(least) == 1 else None


def _spelled_out(name: str) -> list[str]:
    """Return the words of a name, those that say what kind of school it is without their misspellings."""
    kinds = ("elementary", "primary", "school", "academy", "middle", "escuela", "primaria")
    return [next((kind for kind in kinds if _of_word(word, kind)), word) for word in _words_of(name)]


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", plain(name)))


def _letters_wrong(written: Sequence[str], known: Sequence[str]) -> int | None:
    """Return how many letters are wrong in a name; None where it is another name."""
    pairs = [[word for word in words if not is_kind_word(word)] or list(words) for words in (written, known)]
    if len(pairs[0]) != len(pairs[1]):
        return None
    found = [_of_word(one, other) for one, other in zip(*pairs, strict=True)]
    return None if None in found else sum(count for count in found if count is not None)


def _of_word(written: str, known: str) -> int | None:
    """Return how many letters of a word are wrong; None where it is another word."""
    longest = max(len(written), len(known))
    most = 0 if longest < 4 or known.isdigit() or written.isdigit() else 1 if longest < 8 else 2
    count = int(OSA.distance(written, known, score_cutoff=most))
    return count if count <= most and written[:1] == known[:1] else None


class ListedNames:
    """The names, aliases and abbreviations of a list of schools, to tell which school a written name means."""

    def __init__(self, schools: Mapping[str, Sequence[str]]) -> None:
        """`schools` gives the aliases of each canonical name."""
        spelt = [(spelling, name) for name, aliases in schools.items() for spelling in (*aliases, name)]
        # A name has precedence over an alias.
        self._by_key = {plain(spelling): name for spelling, name in spelt if spelling != name}
        self._by_key |= {plain(name): name for name in schools}
        self._by_core: dict[str, list[str]] = {}
        for spelling, name in spelt:
            self._by_core.setdefault(squeezed(_core(spelling)), []).append(name)

    def meant(self, text: str) -> str | None:
        """Return the canonical name of the school that is meant; None where none is, or two may be.

        Case, accents, a room, and the words that most schools share do not matter ("JUNIPER ELEM. 4" is Juniper
        Elementary School), but a school of another level is another school. A misspelled name means none.
        """
        if (name := self._by_key.get(plain(text))) is not None:
            return name
        bare = without_room(text)[0]
        alike = {
            name for name in self._by_core.get(squeezed(_core(bare)), ()) if _agree(_levels(name), _levels(bare))
        }
        return alike.pop() if len(alike) == 1 else None


_LEVELS = {
    "elementary": re.compile(r"\b(?:elementary|elem|primary|primaria|es|grade school)\b"),
    "middle": re.compile(r"\b(?:middle|ms|jr|junior|secundaria)\b"),
    "high": re.compile(r"(?<!jr )(?<!jr\. )(?<!junior )\b(?:high|hs|preparatoria)\b"),
}


def _agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the levels of two names are compatible; a name without a level is compatible with any."""
    return not one or not other or bool(one & other)


@lru_cache(maxsize=20_000)
def _levels(name: str) -> frozenset[str]:
    """Return the levels (elementary, middle, high) in a name."""
    return frozenset(level for level, word in _LEVELS.items() if word.search(plain(name)))


_KIND = re.compile(
    r"\b(?:elementary|elem|school|sch|academy|middle|high|jr|junior|escuela|primaria|primary|of|the)\b\.?"
)


def is_kind_word(word: str) -> bool:
    """Whether a word says what kind of school it is, or joins the words of a name; most schools share it."""
    return not _KIND.sub("", plain(word)).strip(" .,")


@lru_cache(maxsize=20_000)
def _core(name: str) -> str:
    """Return the name without the words that most schools share."""
    return tidy(_KIND.sub(" ", plain(name))) or plain(name)
