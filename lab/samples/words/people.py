"""Invented people: names, reserved phone numbers, example.org addresses."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from random import Random

from lab.samples.words import names_development, names_held_out


@dataclass(frozen=True)
class Names:
    """The names that people of one part are given."""

    first_english: list[str]
    first_spanish: list[str]
    last_english: list[str]
    last_spanish: list[str]
    fathers_english: list[str]
    fathers_spanish: list[str]
    mail_places: tuple[str, ...]

    def lists(self, rng: Random, spanish: bool) -> tuple[list[str], list[str]]:
        """First and family names to choose from."""
        if spanish:
            return self.first_spanish, self.last_spanish
        if rng.random() < 0.25:
            return self.first_spanish + self.first_english, self.last_spanish
        return self.first_english, self.last_english


DEVELOPMENT = Names(
    names_development.FIRST_ENGLISH,
    names_development.FIRST_SPANISH,
    names_development.LAST_ENGLISH,
    names_development.LAST_SPANISH,
    names_development.FATHERS_ENGLISH,
    names_development.FATHERS_SPANISH,
    names_development.MAIL_PLACES,
)
HELD_OUT = Names(
    names_held_out.FIRST_ENGLISH,
    names_held_out.FIRST_SPANISH,
    names_held_out.LAST_ENGLISH,
    names_held_out.LAST_SPANISH,
    names_held_out.FATHERS_ENGLISH,
    names_held_out.FATHERS_SPANISH,
    names_held_out.MAIL_PLACES,
)


def draw_name(rng: Random, spanish: bool, names: Names) -> tuple[list[str], list[str]]:
    """A pupil's given names and family names."""
    firsts, lasts = names.lists(rng, spanish)
    given = [rng.choice(firsts)]
    if rng.random() < 0.12:
        given.append(rng.choice([name for name in firsts if name != given[0]]))
    family = [rng.choice(lasts)]
    if spanish and rng.random() < 0.4:
        family.append(rng.choice([name for name in names.last_spanish if name != family[0]]))
    elif rng.random() < 0.06:
        family = [f"{family[0]}-{rng.choice(lasts)}"]
    if len(given) == 1 and not spanish and rng.random() < 0.08:
        given.append(rng.choice("ABCDEFGHJKLMNPRST") + ".")
    return given, family


def draw_father(rng: Random, spanish: bool, family: list[str], names: Names) -> str:
    """The father figure's name, mostly of the same family."""
    _, lasts = names.lists(rng, spanish)
    firsts = names.fathers_spanish if spanish or lasts is names.last_spanish else names.fathers_english
    last = family[0] if rng.random() < 0.75 else rng.choice(lasts)
    title = rng.choice(("Mr. ", "Sr. ")) if rng.random() < 0.04 else ""
    return f"{title}{rng.choice(firsts)} {last}"


def draw_phone(rng: Random) -> str:
    """A number from the reserved 555-01xx range in one of the ways people write numbers."""
    area, last = (
        rng.choice(("312", "630", "708", "773", "815", "847", "217", "309")),
        f"01{rng.randrange(100):02d}",
    )
    style = rng.choice(
        (
            "({a}) 555-{n}",
            "{a}-555-{n}",
            "{a}.555.{n}",
            "{a} 555 {n}",
            "{a}555{n}",
            "({a})555-{n}",
            "1-{a}-555-{n}",
        )
    )
    return style.format(a=area, n=last)


def draw_email(rng: Random, father: str, names: Names) -> str:
    """An address at example.org made from the father figure's name."""
    words = [plain(word).lower() for word in father.replace(".", "").split() if word not in ("Mr.", "Sr.")]
    first, last = words[-2], words[-1]
    local = rng.choice(
        (f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}", f"{last}{first[0]}", f"{first}{last}")
    )
    digits = str(rng.randrange(1, 99)) if rng.random() < 0.4 else ""
    return f"{local.replace(chr(39), '')}{digits}@{rng.choice(names.mail_places)}"


def plain(text: str) -> str:
    """The text without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
