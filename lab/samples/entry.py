"""One invented entry: what its writer would answer to each question, before any layout draws it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lab.samples.part import Part
from lab.samples.words import essays, people, schools
from lab.samples.words.banks import words

GRADES = ("K", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
ABOUT = ("Father", "Grandfather", "Stepdad", "Father-Figure")

_WORDS_EN = words("kindergarten first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_WORDS_ES = words(
    "kínder primer segundo tercer cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo"
)


@dataclass
class Entry:
    """The writer's answers. None where the writer left a field empty."""

    given: list[str]
    family: list[str]
    school: schools.School
    school_written: str | None
    grade: str | None
    father: str | None
    phone: str | None
    email: str | None
    about: str | None
    essay: list[str]
    reaction: str | None
    spanish: bool
    title: str
    room: str
    name: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.name = " ".join(self.given + self.family)

    @property
    def words(self) -> int:
        """Words of the essay as a person counts them."""
        return sum(len(paragraph.split()) for paragraph in self.essay)


def draw_entry(
    rng: Random,
    part: Part,
    *,
    spanish_share: float = 0.2,
    count: tuple[int, int] = (60, 320),
    grades: tuple[str, ...] = GRADES,
) -> Entry:
    """An entry; a tenth of the writers leave optional fields empty."""
    spanish = rng.random() < spanish_share
    bank = part.essays(spanish)
    given, family = people.draw_name(rng, spanish, part.names)
    father = people.draw_father(rng, spanish, family, part.names)
    grade = rng.choice(grades)
    school, written = schools.draw_school(rng, grade, part.schools)
    about = rng.choices(ABOUT, (70, 12, 8, 10))[0]
    wanted = rng.randint(*count)
    if grade in ("K", "1", "2"):
        wanted = min(wanted, rng.randint(min(count[0], 55), 120))
    return Entry(
        given=given,
        family=family,
        school=school,
        school_written=written,
        grade=grade,
        father=father if rng.random() < 0.9 else None,
        phone=people.draw_phone(rng) if rng.random() < 0.88 else None,
        email=people.draw_email(rng, father, part.names) if rng.random() < 0.85 else None,
        about=about if rng.random() < 0.85 else None,
        essay=essays.draw_essay(rng, grade, about, bank, wanted),
        reaction=essays.draw_reaction(rng, bank) if rng.random() < 0.45 else None,
        spanish=spanish,
        title=essays.draw_title(rng, bank),
        room=str(rng.randrange(100, 420)),
    )


def grade_in_words(rng: Random, entry: Entry, *, short: bool = False) -> str | None:
    """The grade as the writer puts it: "4", "4th", "4th grade", "fourth", "4to grado", "Kinder"."""
    if entry.grade is None:
        return None
    if entry.grade == "K":
        return rng.choice(("K", "Kinder", "Kindergarten", "kinder") if not short else ("K", "Kinder"))
    number = int(entry.grade)
    if entry.spanish and rng.random() < 0.6:
        ordinal = f"{number}{_spanish_suffix(number)}"
        return rng.choice(
            (ordinal, f"{ordinal} grado", str(number), f"{_WORDS_ES[number]} grado")[: 1 if short else 4]
        )
    ordinal = f"{number}{_english_suffix(number)}"
    if not short and rng.random() < 0.05:
        return f"{ordinal} - Room {entry.room}"
    if short:
        return rng.choice((str(number), ordinal, ordinal))
    return rng.choice(
        (str(number), ordinal, ordinal, f"{ordinal} grade", f"{ordinal} Grade", _WORDS_EN[number].capitalize())
    )


def _english_suffix(number: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(number, "th")


def _spanish_suffix(number: int) -> str:
    return {1: "ro", 2: "do", 3: "ro", 4: "to", 5: "to", 6: "to", 7: "mo", 8: "vo", 9: "no", 10: "mo"}.get(
        number, "°"
    )
