"""The ways a grade is written."""

from __future__ import annotations

from random import Random

from lab.headers.flow import Flow, one
from lab.headers.words import grades as bank
from pipeline.extraction.labelling.labeller import Role


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def draw_ordinal(rng: Random, grade: int, spanish: bool) -> str:
    """Such as "4th", "fourth", "cuarto"."""
    if spanish:
        return _spanish_ordinal(rng, grade) if grade else rng.choice(("kínder", "kinder"))
    if not grade:
        return rng.choice(("kindergarten", "kindergarten", "Kindergarten", "K", "kinder"))
    word = bank.ORDINAL[grade]
    return rng.choice((ordinal(grade), word, ordinal(grade), word.title()))


def draw_grader(rng: Random, grade: int) -> str:
    """Such as "fourth grader" or "junior"."""
    if not grade:
        return rng.choice(("kindergartner", "kindergartener", "kinder", "kindergarten student"))
    if grade > 8 and rng.random() < 0.6:
        return bank.YEARS[grade]
    nth = rng.choice((ordinal(grade), bank.ORDINAL[grade], bank.ORDINAL[grade]))
    return f"{nth}{rng.choice((' ', ' ', ' ', '-'))}grader"


def draw_grade_noun(rng: Random, grade: int, spanish: bool) -> str:
    """Such as "fourth grade", "kindergarten", "cuarto grado"."""
    if spanish:
        return f"{_spanish_ordinal(rng, grade)} grado" if grade else rng.choice(("kínder", "kinder", "Kínder"))
    if not grade:
        return rng.choice(("kindergarten", "Kindergarten", "kinder", "K"))
    nth = rng.choice((ordinal(grade), bank.ORDINAL[grade]))
    return f"{nth} {rng.choice(('grade', 'grade', 'Grade'))}"


def draw_bare(rng: Random, grade: int, spanish: bool) -> Flow:
    """The grade as it stands alone in a header."""
    if spanish:
        return _spanish_bare(rng, grade)
    if not grade:
        return one(rng.choice(bank.KINDER), Role.GRADE)
    if grade > 8 and rng.random() < 0.25:
        year = bank.YEARS[grade]
        return one(
            rng.choice((year, year.title(), year.title(), f"{year.title()} Year", f"{year} year")), Role.GRADE
        )
    if grade in bank.MISSPELT and rng.random() < 0.06:
        ending = rng.choice(("", " grade", " grade", " grad", " gr", " graed"))
        return one(rng.choice(bank.MISSPELT[grade]) + ending, Role.GRADE)
    if rng.random() < 0.08:
        return _section(rng, str(grade))
    return one(_formed(rng.choice(bank.WHOLE), grade, ordinal(grade), bank.ORDINAL[grade]), Role.GRADE)


def _formed(pattern: str, grade: int, nth: str, word: str) -> str:
    cardinal = bank.CARDINAL[grade]
    return pattern.format(
        n=grade, nth=nth, NTH=nth.upper(), th=nth[-2:], word=word, Word=word.title(),
        c=cardinal, C=cardinal.title(), r=bank.ROMAN[grade],
    )  # fmt: skip


def _spanish_bare(rng: Random, grade: int) -> Flow:
    if not grade:
        return one(rng.choice(bank.SPANISH_KINDER), Role.GRADE)
    if rng.random() < 0.12:
        return _section(rng, rng.choice((str(grade), bank.SPANISH_SHORT[grade], f"{grade}°", f"{grade}º")))
    patterns = bank.SPANISH_WHOLE + (bank.PRIMARY_WHOLE if grade <= 6 else [])
    return one(_formed(rng.choice(patterns), grade, _spanish_ordinal(rng, grade), bank.SPANISH[grade]), Role.GRADE)


def _spanish_ordinal(rng: Random, grade: int) -> str:
    short, word = bank.SPANISH_SHORT[grade], bank.SPANISH[grade]
    if grade in (1, 3):
        short = rng.choice((short, f"{grade}er", f"{grade}ero"))
        word = rng.choice((word, word[:-1]))
    return rng.choice(
        (short, short, word, word, f"{grade}°", f"{grade}º", f"{grade}.º", f"{grade}o", short.upper())
    )


def _section(rng: Random, grade: str) -> Flow:
    """A grade with the section that follows it."""
    letter = rng.choice("ABCDABC")
    marks = (
        f"-{letter}",
        letter,
        f" {letter}",
        f' "{letter}"',
        f"-0{rng.randint(1, 4)}",
        f" - {letter}",
        f"/{letter}",
    )
    return one(grade, Role.GRADE) + one(rng.choice(marks), Role.OTHER)
