"""The labeller's features of each word: letters, shape, place, and how telling and how common it is."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from pipeline.extraction.values.kinds import ORDINALS
from pipeline.extraction.values.text import plain_text
from pipeline.spelling.prior import PARTICLES, name_shares

#: A year of a date.
_YEARS = range(1990, 2041)
_SENTENCE_END = (".", "!", "?")
#: Prefix of features that are three letters of a word.
LETTERS = "3="


@dataclass(frozen=True, slots=True)
class _Seen:
    """The features of a word by itself."""

    bare: str
    #: The word if it is telling, else a star.
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
    """The features that a line gives to each of its words."""

    words: int
    #: Share of its words that are common in a language (0-4).
    prose: int
    ends_sentence: bool
    capitals: str


def features_of(lines: Sequence[LabelLine]) -> list[list[str]]:
    """Return the features of each word of the lines, in reading order."""
    seen = [[_seen_as(word.text, word.gap) for word in line.words] for line in lines]
    seen_lines = [_line_seen(line, words) for line, words in zip(lines, seen, strict=True)]
    often = Counter(s.bare for words in seen for s in words if len(s.bare) > 2 and s.shape[:1] == "X")
    found: list[list[str]] = []
    for number, words in enumerate(seen):
        shared = _line_features(lines, seen_lines, number)
        pieces = _pieces(words)
        for place in range(len(words)):
            found.append([*shared, *_own(words[place], often), *_place(words, pieces[place], place)])
    return found


@lru_cache(maxsize=8192)
def _seen_as(text: str, gap: str) -> _Seen:
    bare = plain_text(text)
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
    """The words of a line between wide gaps and signs."""

    first: int
    words: int
    #: What begins and ends it.
    edges: str
    #: Features that it gives to each of its words.
    shared: tuple[str, ...]
    kinds: tuple[str, ...]


def _pieces(words: Sequence[_Seen]) -> list[_Piece]:
    """Return the piece around each word of a line; the piece around a sign reaches to the signs next to it."""
    firsts, lasts = list(range(len(words))), list(range(len(words)))
    for at in range(1, len(words)):
        if words[at].gap not in (WordGap.WIDE, WordGap.LINE) and words[at - 1].shape != "sign":
            firsts[at] = firsts[at - 1]
    for at in range(len(words) - 2, -1, -1):
        if words[at + 1].gap != WordGap.WIDE and words[at + 1].shape != "sign":
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
    """Return the features of a word's place in its line and in its piece."""
    return [
        f"gap={words[place].gap}",
        f"p={min(place, 6)}",
        f"p.end={min(len(words) - 1 - place, 4)}",
        f"piece={min(piece.words, 8)},{min(place - piece.first, 4)}",
        *piece.shared,
        f"piece.edges,s={piece.edges},{words[place].shape}",
        *piece.kinds,
    ]


# Closed lists of words that tell a role, and how common a word is among names and in a language.
#
# common_words.txt.gz holds the most frequent words of English and Spanish by the frequency lists of pyspellchecker
# (MIT licence), name_ranks.txt.gz how common each name of `pipeline.spelling.prior` is as a given name and as a
# surname; `lab/train_labeller.py` writes both.


_HERE = Path(__file__).parent
_CLASSES: dict[str, str] = {
    "month": """january february march april may june july august september october november december jan feb mar
        apr jun jul aug sept sep oct nov dec enero febrero marzo abril mayo junio julio agosto septiembre octubre
        noviembre diciembre ene abr ago dic""",
    "weekday": """monday tuesday wednesday thursday friday saturday sunday lunes martes miercoles jueves viernes
        sabado domingo""",
    "grade": "grade grado gr grd grader graders level nivel curso",
    "kinder": "kindergarten kinder kindergartener kindergartner garden k kg kdg tk prek preschool",
    "year": "freshman sophomore junior senior",
    "cardinal": """one two three four five six seven eight nine ten eleven twelve uno dos tres cuatro cinco seis
        siete ocho nueve diez once doce""",
    "roman": "i ii iii iv v vi vii viii ix x xi xii",
    "room": "room rm salon sala aula hr homeroom portable cuarto bungalow trailer classroom",
    "group": """group grupo section seccion period per hour block periodo hora division div class clase team
        unit""",
    "school": """school schools scool shool skool academy academia acad elementary elem el middle high jr primary
        primaria secundaria preparatoria magnet charter prep preparatory montessori college institute instituto
        campus escuela colegio liceo lyceum conservatory seminary hs ms es jhs is ps center centro intermediate
        intermedia plantel parish parochial catholic christian lutheran community early""",
    "address": """mr mrs ms miss mx dr prof sr sra srta maestra maestro profe profesor profesora teacher coach
        principal sister brother father padre hermana don dona sir senor senora""",
    "label_name": """name nombre student alumno alumna estudiante pupil author autor autora by por writer written
        escrito escrita nino nina child child's student's hecho from submitted who de entrant participant
        participante kid learner scholar byline firma signed""",
    "label_other": """title titulo topic tema subject asunto date fecha teacher's email mail correo phone tel
        telefono cell address age edad dob parent guardian""",
    "kin": """dad daddy dads father fathers padre papa papi pa pop pops apa grandfather grandpa abuelo uncle tio
        stepdad stepfather padrastro godfather padrino granddad grandad mom mother mama mami son hijo wife esposa
        family familia""",
    "me": "i im i'm my me mine we our us yo mi mis nosotros nuestro nuestra",
    "contest": """contest concurso essay essays ensayo ensayos entry winner draft final district
        distrito club unified county word words count palabras page pagina""",
}
#: Words in the names of many schools; most are also names of people or ordinary words.
_OF_SCHOOLS: dict[str, str] = {
    "namesake": """washington adams jefferson madison monroe jackson harrison tyler polk taylor fillmore pierce
        buchanan lincoln johnson grant hayes garfield arthur cleveland mckinley roosevelt taft wilson harding
        coolidge hoover truman eisenhower kennedy carter obama whittier longfellow emerson thoreau hawthorne irving
        bryant whitman twain poe dickinson alcott lowell holmes cooper franklin edison bell fulton whitney carver
        einstein curie sandburg frost stowe cather keller barton anthony stanton addams tubman douglass truth parks
        king chavez huerta dunbar banneker bethune wells hughes hurston robinson marshall drew woodson dubois
        angelou ellington armstrong jemison ride glenn aldrin columbus revere hamilton hancock henry penn lafayette
        sheridan sherman lee farragut perry dewey mann webster clay houston austin crockett bowie travis juarez
        hidalgo morelos zapata marti clemente kahlo orozco siqueiros neruda mistral darwin newton pasteur
        nightingale goodall carson muir burroughs audubon""",
    "nature": """oak oaks maple pine pines cedar elm willow birch spruce aspen cypress magnolia juniper sycamore
        hickory walnut cottonwood palm palms palmas brisas alamo alamos lake lakes river rivers creek brook spring
        springs falls bay harbor ocean sea island hill hills mountain mountains mesa valley vista view ridge canyon
        bluff summit peak highland highlands meadow meadows field fields prairie plains desert forest woods wood
        grove garden gardens orchard park rock stone sky sun sunrise sunset star north south east west central
        verde vistas monte lomas rio sierra lago bosque""",
    "saint": "st saint san santa santo sta holy sacred our lady blessed trinity good shepherd cross heart sor",
}
_OF_PLACES = re.compile(
    r"(?:wood|view|dale|ridge|brook|field|side|crest|land|mont|ville|ford|ton|burg|port|hurst|haven|shore|mere|gate"
    r"|bridge|well|stone|bury|worth|ley)$"
)


@cache
def _class_of() -> dict[str, str]:
    """Map each word to its list, the first one if it is in several."""
    listed = {word: name for name, words in reversed(_CLASSES.items()) for word in words.split()}
    return dict.fromkeys(PARTICLES, "particle") | listed | dict.fromkeys(ORDINALS, "ordinal")


def word_class(word: str) -> str:
    """Return the list that a word (plain) is in, or an empty text."""
    return _class_of().get(word, "")


@cache
def _common() -> tuple[dict[str, int], dict[str, int]]:
    """Rank of each common word, by language."""
    text = gzip.decompress((_HERE / "common_words.txt.gz").read_bytes()).decode("utf-8")
    english, spanish = (part.split() for part in text.split("\n\n"))
    return {word: rank for rank, word in enumerate(english)}, {word: rank for rank, word in enumerate(spanish)}


def forget() -> None:
    """Have the lists read again at their next use, after they were written."""
    _common.cache_clear()
    _name_ranks.cache_clear()


#: Bounds of the classes of frequency, by rank.
_RANKS = (30, 120, 500, 1500, 4000)


def commonness(word: str) -> str:
    """Return how common a word (plain) is in English and Spanish: two digits, 0 the commonest, 9 unlisted."""
    return "".join(_bucket(ranks.get(word)) for ranks in _common())


def _bucket(rank: int | None) -> str:
    if rank is None:
        return "9"
    return str(next((number for number, bound in enumerate(_RANKS) if rank < bound), len(_RANKS)))


def is_telling(word: str) -> bool:
    """Whether a word (plain) is a feature by itself: those of the lists and the commonest of both languages."""
    english, spanish = _common()
    return (
        bool(word_class(word))
        or english.get(word, _RANKS[3]) < _RANKS[3]
        or spanish.get(word, _RANKS[2]) < _RANKS[2]
    )


@cache
def _school_words() -> dict[str, str]:
    return {word: name for name, words in _OF_SCHOOLS.items() for word in words.split()}


def school_kind(word: str) -> str:
    """Return how a word (plain) names schools: "namesake", "nature", "saint", "place" by its ending, or empty."""
    return _school_words().get(word) or ("place" if len(word) > 6 and _OF_PLACES.search(word) else "")


@cache
def _name_ranks() -> dict[str, str]:
    """For each name two digits, of given names and of surnames, in the order of the list of names."""
    given, surname = gzip.decompress((_HERE / "name_ranks.txt.gz").read_bytes()).decode("ascii").split()
    return {name: g + s for name, g, s in zip(name_shares(), given, surname, strict=True)}


def name_rank(word: str) -> str:
    """Return how common a word (plain) is as given name and as surname: two digits, 0 common to 6 rare, 9 none."""
    return _name_ranks().get(word, "99")


# Split lines into the words that are labelled; joined ones ("Oakley101", "3-207") are separated.


#: From this number of spaces on, a gap separates values as a tab does.
_WIDE = 3
#: A line that begins after this many spaces is set at the right or in the middle.
_INDENT = 12
#: Zero-width characters stand for spaces.
_SEPARATING = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00a0", " "))
_WORD = re.compile(
    r"(?<!\S)[^\s@]++@\S{1,255}\.\w+"
    r"|\d{1,2}(?:st|nd|rd|th|er|ro|do|to|mo|vo|no|ed|(?-i:[oa])|[°ºª])(?![^\W\d_])"
    r"|\d+"
    r"|[^\W\d_]+(?:(?:-|‐|['’](?!s\b))[^\W\d_]+)*"
    r"|([^\w\s]|_)\1*",
    re.IGNORECASE,
)


class WordGap(StrEnum):
    """What is between a word and the one before it."""

    NOTHING = "nothing"
    SPACE = "space"
    WIDE = "wide"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class LabelWord:
    """A word, a number or a run of one sign; `start` and `end` are its place in its line."""

    text: str
    line: int
    start: int
    end: int
    gap: WordGap


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A line that is not blank."""

    words: tuple[LabelWord, ...]
    after_blank: bool
    before_blank: bool
    indented: bool


def split_lines(lines: Sequence[str]) -> list[LabelLine]:
    """Return the lines with words. A blank line, a tab and a run of spaces separate as they do on the page.

    `LabelWord.line` counts the blank lines as well, so that it is an index of `lines`.
    """
    found: list[LabelLine] = []
    for number, line in enumerate(lines):
        words = _split(line.translate(_SEPARATING), number)
        if words:
            blank = number > 0 and not lines[number - 1].strip()
            next_blank = number + 1 == len(lines) or not lines[number + 1].strip()
            indented = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip()) >= _INDENT
            found.append(LabelLine(words, blank, next_blank, indented))
    return found


def _split(line: str, number: int) -> tuple[LabelWord, ...]:
    words: list[LabelWord] = []
    end = 0
    for hit in _WORD.finditer(line):
        between = line[end : hit.start()]
        if not words:
            gap = WordGap.LINE
        elif not between:
            gap = WordGap.NOTHING
        elif "\t" in between or len(between) >= _WIDE:
            gap = WordGap.WIDE
        else:
            gap = WordGap.SPACE
        words.append(LabelWord(hit.group(), number, hit.start(), hit.end(), gap))
        end = hit.end()
    return tuple(words)
