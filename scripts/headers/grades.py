"""The ways a grade is written."""

from __future__ import annotations

from random import Random

from scripts.headers.drawn import Role
from scripts.headers.flow import Flow, one
from scripts.samples.words.banks import words

ROMAN = words("0 I II III IV V VI VII VIII IX X XI XII")
CARDINAL = words("zero one two three four five six seven eight nine ten eleven twelve")
ORDINAL = words("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
SPANISH = words("cero primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo")
SPANISH_SHORT = words("0 1ro 2do 3ro 4to 5to 6to 7mo 8vo 9no 10mo 11vo 12vo")
YEARS = {9: ("Freshman", "freshman"), 10: ("Sophomore", "sophomore"), 11: ("Junior", "junior"), 12: ("Senior", "senior")}
MISSPELT = {
    1: ("frist", "furst", "fist", "1th", "1rst"), 2: ("secend", "secind", "2ed", "2th", "sekond"),
    3: ("therd", "thrid", "3erd", "3th", "3ed"), 4: ("forth", "fouth", "4rth"), 5: ("fith", "fifht", "5ht"),
    6: ("sixt", "sixith", "6ht"), 7: ("sevinth", "sevnth"), 8: ("eigth", "eighth", "eigth"),
}  # fmt: skip
KINDER = (
    *("K", "K", "K", "Kindergarten", "kindergarten", "Kindergarten", "Kinder", "kinder", "KG", "Kdg.", "Gr. K", "Grade K"),
    *("kindergarden", "kinder garden", "kindergarter", "Kindergarden", "K grade", "kindergardin", "Kinder-garten", "kindr"),
)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def draw_ordinal(rng: Random, grade: int, spanish: bool) -> str:
    """"4th", "fourth", "cuarto" """
    if spanish:
        return _spanish_ordinal(rng, grade) if grade else rng.choice(("kínder", "kinder"))
    if not grade:
        return rng.choice(("kindergarten", "kindergarten", "Kindergarten", "K", "kinder"))
    return rng.choice((ordinal(grade), ORDINAL[grade], ordinal(grade), ORDINAL[grade].title()))


def draw_grader(rng: Random, grade: int) -> str:
    """ "fourth grader", "junior" """
    if not grade:
        return rng.choice(("kindergartner", "kindergartener", "kinder", "kindergarten student"))
    if grade > 8 and rng.random() < 0.6:
        return rng.choice(YEARS[grade]) if rng.random() < 0.3 else YEARS[grade][1]
    return f"{rng.choice((ordinal(grade), ORDINAL[grade], ORDINAL[grade]))}{rng.choice((' ', ' ', ' ', '-'))}grader"


def draw_grade_noun(rng: Random, grade: int, spanish: bool) -> str:
    """ "fourth grade", "kindergarten", "cuarto grado" """
    if spanish:
        return f"{_spanish_ordinal(rng, grade)} grado" if grade else rng.choice(("kínder", "kinder", "Kínder"))
    if not grade:
        return rng.choice(("kindergarten", "Kindergarten", "kinder", "K"))
    return f"{rng.choice((ordinal(grade), ORDINAL[grade]))} {rng.choice(('grade', 'grade', 'Grade'))}"


def draw_bare(rng: Random, grade: int, spanish: bool) -> Flow:
    """The grade as it stands alone in a header."""
    if spanish:
        return _spanish_bare(rng, grade)
    if not grade:
        return one(rng.choice(KINDER), Role.GRADE)
    if grade > 8 and rng.random() < 0.25:
        year = rng.choice(YEARS[grade])
        return one(rng.choice((year, year, year, f"{year} Year", f"{year} year")), Role.GRADE)
    if grade in MISSPELT and rng.random() < 0.06:
        return one(rng.choice(MISSPELT[grade]) + rng.choice(("", " grade", " grade", " grad", " gr", " graed")), Role.GRADE)
    if rng.random() < 0.08:
        return _section(rng, str(grade))
    nth, word = ordinal(grade), ORDINAL[grade]
    wholes = (
        *(f"{nth} grade", f"{nth} Grade", f"{nth} grade", f"{word} grade", f"{word.title()} Grade", f"{nth}-grade"),
        *(f"Grade {grade}", f"grade {grade}", f"Grade {grade}", f"grade {CARDINAL[grade]}", f"Gr. {grade}", f"Gr {grade}"),
        *(f"gr.{grade}", f"gr {grade}", f"G{grade}", f"GR{grade}", f"Gr.{grade}", f"Grade {CARDINAL[grade].title()}"),
        *(nth, nth, nth, word, word.title(), f"{nth} gr.", f"{nth} gr", f"{nth} Gr.", f"{nth} grader", f"{word} grader"),
        *(f"{grade}", f"{grade}", f"{grade}", ROMAN[grade], f"Grade {ROMAN[grade]}", f"Grade-{grade}", f"{nth.upper()} GRADE"),
        *(f"{grade} {nth[-2:]} grade", f"{nth}grade", f"Grade{grade}", f"Grade #{grade}", f"{grade}°", f"{nth} Grader", f"{nth.upper()}"),
    )
    return one(rng.choice(wholes), Role.GRADE)


def _spanish_bare(rng: Random, grade: int) -> Flow:
    if not grade:
        return one(rng.choice(("Kínder", "kínder", "Kinder", "kinder", "K", "Kindergarten", "kinder garten")), Role.GRADE)
    if rng.random() < 0.12:
        return _section(rng, rng.choice((str(grade), SPANISH_SHORT[grade], f"{grade}°", f"{grade}º")))
    nth = _spanish_ordinal(rng, grade)
    word = SPANISH[grade]
    wholes = [nth, nth, f"{nth} grado", f"{nth} grado", f"{nth} Grado", f"grado {grade}", f"Grado {grade}", f"Grado {word}"]
    wholes += [word, word.title(), f"{word} grado", f"{word.title()} Grado", f"{nth}. grado", str(grade), f"{nth} año"]
    if grade <= 6:
        wholes += [f"{nth} de primaria", f"{word} de primaria", f"{nth} Primaria"]
    return one(rng.choice(wholes), Role.GRADE)


def _spanish_ordinal(rng: Random, grade: int) -> str:
    short, word = SPANISH_SHORT[grade], SPANISH[grade]
    if grade in (1, 3):
        short = rng.choice((short, {1: "1er", 3: "3er"}[grade], {1: "1ero", 3: "3ero"}[grade]))
        word = rng.choice((word, word[:-1]))
    return rng.choice((short, short, word, word, f"{grade}°", f"{grade}º", f"{grade}.º", f"{grade}o", short.upper()))


def _section(rng: Random, grade: str) -> Flow:
    """A grade with the section that follows it."""
    letter = rng.choice("ABCDABC")
    mark = rng.choice((f"-{letter}", letter, f" {letter}", f' "{letter}"', f"-0{rng.randint(1, 4)}", f" - {letter}", f"/{letter}"))
    return one(grade, Role.GRADE) + one(mark, Role.OTHER)
