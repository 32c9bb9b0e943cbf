"""Names of persons and schools: distinguish them from other text, and compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from pipeline.extraction.values.text import plain_text, squeezed, tidied
from pipeline.profiles import FieldKind, PrintedRole, all_profiles, form_profiles, kinship_words
from pipeline.profiles.catalogue import by_generation

_NAME_CHARS = re.compile(r"^[^\W\d_]+(?:['’.\-‐ ][^\W\d_]*)*\.?$")
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b"
    r"|\b\d{1,2}[/.-]\d{1,2}\b|\b(?:19|20)\d\d\b"
)
#: A text of at least this many letters with this similarity (0-100) to a label is a label.
_LABEL_LETTERS = 9
_LABEL_LIKENESS = 70
_PARTICLES = {
    "de", "la", "las", "los", "del", "da", "dos", "van", "von", "der", "den", "el", "al", "bin", "ibn", "y",
    "san", "santa", "di", "le", "st", "mc", "jr", "sr", "ii", "iii", "iv", "o",
}  # fmt: skip
#: Letters of the languages of these words: "Mỹ" is a name, though "my" is not.
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
    name = tidied(text).strip(" ,;:-")
    bare = plain_text(name)
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
    return plain_text(own) in _NOT_NAMES and _OWN_LETTERS.fullmatch(own) is not None


def is_date(text: str) -> bool:
    """Whether a text names a month or has a date in figures."""
    return any(c.isdigit() for c in text) and bool(_DATE.search(plain_text(text)))


def counts_as_sentence(text: str) -> bool:
    """Whether two of its words, or all, are typical of sentences and headings."""
    words = [w.strip(".,'!?\"") for w in plain_text(text).split()]
    strange = sum(w in _NOT_NAMES for w in words)
    return strange > 1 or strange == len(words)


def is_teacher(text: str) -> bool:
    """Whether a text begins with a form of address, which a pupil's name never does."""
    return bool(_TITLES.match(tidied(text)))


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
    """Return the forms' printed texts except rules and notes, and those of which even a part counts as print.

    Part of a text of a form in the database may well be a name on another form's page.
    """
    roles = (PrintedRole.RULE, PrintedRole.NOTE)
    printed = [(one, p) for one in all_profiles().values() for p in one.printed if p.role not in roles]
    texts = [(squeezed(text), profile.version is None) for profile, p in printed for text in p.texts]
    return frozenset(text for text, _ in texts), frozenset(text for text, in_part in texts if in_part)


def same_person(a: str, b: str) -> bool:
    """Whether two readings name one person: same spelling, or one without a middle name or with an initial."""
    one, two = words_of(a), words_of(b)
    if fuzz.ratio("".join(one), "".join(two)) >= 90:
        return True
    return min(len(one), len(two)) >= 2 and is_part(one, two)


def words_of(name: str) -> list[str]:
    return plain_text(name).replace(".", "").split()


def is_part(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether the longer of two names has each word of the shorter, or one for each of its initials."""
    short, long = sorted((one, two), key=len)
    return all(any(w == v or (len(w) == 1 and v.startswith(w)) for v in long) for w in short)


# Words of the forms' labels; a value that holds one is suspicious.


#: Shorter words ("del") are words of names too.
_LETTERS = 4


@by_generation
def label_words(kind: FieldKind, key: str | None = None) -> frozenset[str]:
    """Return the words of the labels of forms that a value of this kind does not have.

    The words are those of all forms or, for an entry read with the form `key`, of that form and the built-in ones:
    a label of another form may well be somebody's name.
    """
    forms = [form for form in form_profiles() if key is None or form.version is None or form.key == key]
    printed = [(form, p) for form in forms for p in form.printed if p.role is PrintedRole.LABEL and p.field]
    own = {w for form, p in printed for w in _words(p.texts) if p.field and form.fields[p.field].kind is kind}
    known = {w for _, p in printed for w in _words(p.texts)}
    return frozenset(known - (own if kind is not FieldKind.PERSON else set()) - kinship_words())


def _words(texts: tuple[str, ...]) -> set[str]:
    return {
        bare
        for text in texts
        for word in plain_text(text).replace("/", " ").replace("-", " ").split()
        if len(bare := squeezed(word)) >= _LETTERS
    }


def holds_label_word(kind: FieldKind, value: str, key: str) -> bool:
    """Whether a value of this kind has a word of a label; "Grade School" is a kind of school.

    `key`: see `label_words`.
    """
    of_labels = label_words(kind, key)
    words = [squeezed(word) for word in plain_text(value).replace("/", " ").replace("-", " ").split()]
    return any(
        word in of_labels and not (kind is FieldKind.SCHOOL and has_school_word(after))
        for word, after in zip(words, [*words[1:], ""], strict=False)
    )


# School names: tell them from other lines, remove rooms, match them with a list of known schools.


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
#: Most spellings that are compared with the best one.
_MOST = 8
#: Names whose parts are kept: more than the longest list has, or each pass over it would lose them all.
_KEPT = 60_000
#: Least similarity (0-100) of a school that is offered to a person.
_LIKELY = 55.0


def has_school_word(text: str) -> bool:
    return bool(_SCHOOL_WORD.search(plain_text(text)) or _SCHOOL_LETTERS.search(text.strip()))


def is_sure_school(text: str) -> bool:
    """Whether a line is a school's name rather than a sentence about school."""
    words = tidied(text).split()
    return (
        has_school_word(text)
        and len(words) <= 9
        and not re.search(r"(?<!elem)(?<!acad)(?<!sch)(?<!hs)(?<!\.s)[.!?,]\s*$", text.rstrip().lower())
    )


def without_room(text: str) -> tuple[str, bool]:
    """Return the name without a room written after it, and whether there was one."""
    name = tidied(text)
    bare = _TRAILING.sub("", _GLUED.sub("", _ROOM.sub(" ", name))) if not _numbered(name) else name
    bare = tidied(bare).strip(" ,;:-–(/")
    return bare, bare != name.strip(" ,;:-–(/")


def _numbered(name: str) -> bool:
    """Whether the number is part of the name: "Public School 12" and "P.S. 118"."""
    return bool(
        re.search(r"\b(?:[pi]\.?\s?s\.?|public school|district|distrito|no\.?)\s*#?\d+$", name, re.IGNORECASE)
    )


def ends_in_room(text: str) -> bool:
    """Whether a number is joined to the last word, as only rooms are ("Juniper School101")."""
    return bool(_GLUED.search(tidied(text)))


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

    def __init__(self, schools: Iterable[Sequence[str]] = ()) -> None:
        """`schools` gives the canonical name of each, followed by its aliases."""
        #: By the levels in the school's name: the cores of spellings, and the number and school of each.
        self._by_levels: dict[frozenset[str], tuple[list[str], list[tuple[int, str]]]] = {}
        #: By the first letters of its words: the words and the school of each spelling.
        self._by_initials: dict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = {}
        self._number = 0
        self.similar = lru_cache(maxsize=2_000)(self._similar)
        for names in schools:
            for spelling in names:
                self.add(names[0], spelling)

    def add(self, school: str, spelling: str) -> None:
        cores, owners = self._by_levels.setdefault(_levels(school), ([], []))
        cores.append(_core(spelling))
        owners.append((self._number, school))
        words = _telling_words(_words_of(spelling))
        self._by_initials.setdefault(_initials(words), []).append((words, school))
        self._number += 1
        self.similar.cache_clear()

    def _similar(self, text: str, cutoff: float) -> list[tuple[str, float]]:
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

    def likely(self, text: str) -> list[tuple[str, float]]:
        """Return the schools that a text may mean: see `similar_schools`."""
        wanted, levels = _core(without_room(text)[0]), _levels(text)
        found: dict[str, tuple[bool, float]] = {}
        for own, (cores, owners) in self._by_levels.items():
            other = not _agree(own, levels)
            for _, likeness, at in process.extract(
                wanted, cores, scorer=fuzz.WRatio, limit=None, score_cutoff=_LIKELY
            ):
                name = owners[at][1]
                found[name] = min((other, -float(likeness)), found.get(name, (other, 0.0)))
        ordered = sorted((*rank, name) for name, rank in found.items())
        return [(name, -unlike) for _, unlike, name in ordered]

    def misspelled(self, text: str) -> str | None:
        """Return the only school of which a text may be a misspelling: see `misspelled_school`."""
        written = _spelled_out(without_room(text)[0])
        levels, words = _levels(" ".join(written)), _telling_words(written)
        wrong: dict[str, int] = {}
        for known, name in self._by_initials.get(_initials(words), ()):
            letters = _letters_wrong(words, known) if _agree(_levels(name), levels) else None
            if letters is not None:
                wrong[name] = min(letters, wrong.get(name, letters))
        least = [name for name, letters in wrong.items() if letters == min(wrong.values())]
        return least[0] if len(least) == 1 else None


def spellings_of(schools: Mapping[str, Sequence[str]]) -> SchoolSpellings:
    """Return the spellings of known schools, {name: aliases}; they are prepared once for the lists used last."""
    return _prepared(tuple((name, *aliases) for name, aliases in schools.items()))


_prepared = lru_cache(maxsize=8)(SchoolSpellings)


def match_school(
    text: str, schools: Mapping[str, Sequence[str]], cutoff: float = 88.0
) -> tuple[str, float] | None:
    """Return the best matching known school with its similarity (0-100); None without a clear match.

    `schools` gives the aliases of each canonical name.
    """
    hits = spellings_of(schools).similar(text, cutoff)
    if not hits:
        return None
    best, likeness = hits[0]
    rivals = [hit for hit in hits[1:] if hit[0] != best and hit[1] > likeness - 4]
    return None if rivals else (best, likeness)


def similar_schools(text: str, schools: Mapping[str, Sequence[str]], limit: int) -> list[tuple[str, float]]:
    """Return the known schools that a text may mean, most similar first, with their similarity (0-100).

    Unlike `match_school`, this is for a person to choose from: a part of a name is enough, and a school of another
    level is only put after the others.
    """
    return spellings_of(schools).likely(text)[:limit]


def misspelled_school(text: str, schools: Mapping[str, Sequence[str]]) -> str | None:
    """Return the only known school of which a text may be a misspelling; None without one, or with several.

    Each word has the right first letter and at most one letter wrong, missing, added or swapped (two from eight
    letters on). Words of three letters, and numbers, must be exact. A school of another level does not match.
    """
    return spellings_of(schools).misspelled(text)


def _spelled_out(name: str) -> list[str]:
    """Return the words of a name, with misspelled words for kinds of schools corrected."""
    kinds = ("elementary", "primary", "school", "academy", "middle", "escuela", "primaria")
    return [next((kind for kind in kinds if _of_word(word, kind)), word) for word in _words_of(name)]


@lru_cache(maxsize=_KEPT)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", plain_text(name)))


def _telling_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words without those that most schools share; all of them if there are no others."""
    return tuple(word for word in words if not is_kind_word(word)) or tuple(words)


def _initials(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[:1] for word in words)


def _letters_wrong(written: Sequence[str], known: Sequence[str]) -> int | None:
    """Return how many letters are wrong in a name of as many words; None if it is another name."""
    found = [_of_word(one, other) for one, other in zip(written, known, strict=True)]
    return None if None in found else sum(count for count in found if count is not None)


def _of_word(written: str, known: str) -> int | None:
    """Return how many letters of a word are wrong; None if it is another word."""
    longest = max(len(written), len(known))
    most = 0 if longest < 4 or known.isdigit() or written.isdigit() else 1 if longest < 8 else 2
    count = int(OSA.distance(written, known, score_cutoff=most))
    return count if count <= most and written[:1] == known[:1] else None


class ListedNames:
    """The names, aliases and abbreviations of a list of schools, to find the school that a written name means."""

    def __init__(self, schools: Mapping[str, Sequence[str]]) -> None:
        """`schools` gives the aliases of each canonical name."""
        spelt = [(spelling, name) for name, aliases in schools.items() for spelling in (*aliases, name)]
        # A name has precedence over an alias.
        self._by_key = {plain_text(spelling): name for spelling, name in spelt if spelling != name}
        self._by_key |= {plain_text(name): name for name in schools}
        self._by_core: dict[str, list[str]] = {}
        for spelling, name in spelt:
            self._by_core.setdefault(squeezed(_core(spelling)), []).append(name)

    def meant(self, text: str) -> str | None:
        """Return the canonical name of the school that is meant; None if there is none, or two are possible.

        Case, accents, a room, and the words that most schools share do not matter ("JUNIPER ELEM. 4" is Juniper
        Elementary School), but the level of the school does. A misspelled name matches none.
        """
        if (name := self._by_key.get(plain_text(text))) is not None:
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


@lru_cache(maxsize=_KEPT)
def _levels(name: str) -> frozenset[str]:
    """Return the levels (elementary, middle, high) in a name."""
    return frozenset(level for level, word in _LEVELS.items() if word.search(plain_text(name)))


_KIND = re.compile(
    r"\b(?:elementary|elem|school|sch|academy|middle|high|jr|junior|escuela|primaria|primary|of|the)\b\.?"
)


@lru_cache(maxsize=_KEPT)
def is_kind_word(word: str) -> bool:
    """Whether a word says what kind of school it is, or joins the words of a name; most schools share it."""
    return not _KIND.sub("", plain_text(word)).strip(" .,")


@lru_cache(maxsize=_KEPT)
def _core(name: str) -> str:
    """Return the name without the words that most schools share."""
    return tidied(_KIND.sub(" ", plain_text(name))) or plain_text(name)
