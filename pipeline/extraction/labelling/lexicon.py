"""Closed lists of words that tell a role, and how common a word is among names and in a language.

common_words.txt.gz holds the most frequent words of English and Spanish by the frequency lists of pyspellchecker
(MIT licence), name_ranks.txt.gz how common each name of `pipeline.spelling.prior` is as a given name and as a
surname; `lab/train_labeller.py` writes both.
"""

from __future__ import annotations

import gzip
import math
import re
from functools import cache
from pathlib import Path

from pipeline.extraction.values.grades import ORDINALS
from pipeline.spelling.prior import PARTICLES, name_shares

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
#: Words that many schools are called by, as everybody knows them; most are names of people or words as well.
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
    """The list of each word, the first where it is in several."""
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
    """Read the lists anew at the next use, after they were written."""
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


def rank_of(share: float) -> str:
    """Return the digit of a share (0-1) among given names or surnames."""
    return "9" if share <= 0 else str(min(max(int(-2 * math.log10(share)) - 5, 0), 6))
