"""Invented people and the ways their names are written."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lab.headers.public_names import draw_public_family, draw_public_given
from lab.headers.words import names_english, names_spanish, names_words
from lab.samples.words import names_development as development


@dataclass(frozen=True)
class Person:
    """Given names and family names, as parts that spaces join."""

    given: tuple[str, ...]
    family: tuple[str, ...]

    @property
    def full(self) -> str:
        return " ".join((*self.given, *self.family))


def draw_person(rng: Random, spanish: bool) -> Person:
    """A person; `spanish` says whether the family speaks Spanish."""
    if spanish:
        return _spanish(rng)
    roll = rng.random()
    if roll < 0.38:
        given, family = draw_public_given(rng), draw_public_family(rng)
    elif roll < 0.72:
        origin = rng.choice(list(names_english.ORIGINS.values()))
        mixed = rng.choice(list(names_english.ORIGINS.values())) if rng.random() < 0.15 else origin
        given, family = rng.choice(origin[0]), rng.choice(mixed[1]).replace("_", " ")
        if rng.random() < 0.3:
            given = draw_public_given(rng)
    elif roll < 0.82:
        given = rng.choice(names_words.WORD_GIVEN) if rng.random() < 0.6 else draw_public_given(rng)
        family = rng.choice(names_words.WORD_FAMILY) if rng.random() < 0.7 else draw_public_family(rng)
    elif roll < 0.92:
        given, family = rng.choice(development.FIRST_ENGLISH), rng.choice(development.LAST_ENGLISH)
    else:
        given, family = draw_public_given(rng), rng.choice(names_spanish.FAMILY + development.LAST_SPANISH)
    return Person((given, *_middle(rng)), _family(rng, family, draw_public_family(rng)))


def _spanish(rng: Random) -> Person:
    """A person of a Spanish-speaking family, with one or two family names."""
    families = names_spanish.FAMILY + development.LAST_SPANISH
    roll = rng.random()
    if roll < 0.22:
        given = tuple(rng.choice(names_spanish.DOUBLE).split())
    else:
        given = (rng.choice(names_spanish.GIVEN + development.FIRST_SPANISH),)
        if roll < 0.32:
            given += (rng.choice(names_spanish.GIVEN),)
    if rng.random() < 0.08:
        given = (rng.choice(names_words.WORD_GIVEN),)
    family = rng.choice(families) if rng.random() < 0.93 else draw_public_family(rng)
    if rng.random() < 0.09:
        family = f"{rng.choice(_PARTICLES)} {family}" if rng.random() < 0.5 else _with_particle(rng, family)
    roll = rng.random()
    if roll < 0.3:
        return Person(given, (family, rng.choice(families)))
    if roll < 0.35:
        return Person(given, (family, rng.choice("ABCDFGHLMPRSTV") + "."))
    if roll < 0.41:
        return Person(given, (f"{family}-{rng.choice(families)}",))
    return Person((*given, *_middle(rng, 0.05)), (family,))


_PARTICLES = ("de", "de la", "del", "de los", "De", "De La", "Del", "de las", "San", "y")


def _with_particle(rng: Random, family: str) -> str:
    """Two family names that a small word joins."""
    return f"{family} {rng.choice(_PARTICLES)} {rng.choice(names_spanish.FAMILY).split()[-1]}"


def _middle(rng: Random, chance: float = 0.2) -> tuple[str, ...]:
    if rng.random() > chance:
        return ()
    if rng.random() < 0.5:
        return (rng.choice("ABCDEFGHJKLMNPRSTVWZ") + rng.choice((".", ".", "")),)
    return (draw_public_given(rng),)


def _family(rng: Random, family: str, second: str) -> tuple[str, ...]:
    roll = rng.random()
    if roll < 0.07:
        return (f"{family}-{second}",)
    if roll < 0.1:
        return (family, second)
    if roll < 0.13:
        return (family, rng.choice(("Jr.", "Jr", "III", "II", "IV", "Jr.")))
    return (family,)


def written_name(rng: Random, person: Person, young: bool) -> str:
    """The name as a pupil signs with it; the younger, the shorter."""
    given, family = person.given, person.family
    roll = rng.random()
    if roll < (0.36 if young else 0.09):
        return " ".join(given) if rng.random() < 0.35 else given[0]
    if roll < (0.4 if young else 0.11):
        return _nickname(rng)
    if roll < (0.43 if young else 0.16):
        return _quoted(rng, person)
    if roll < (0.5 if young else 0.19):
        return f"{given[0]} {family[0][0]}{rng.choice(('.', ''))}"
    if roll < (0.52 if young else 0.23):
        return f"{given[0][0]}. {' '.join(family)}"
    if roll < (0.54 if young else 0.24):
        return f"{given[0][0]}.{rng.choice('ABCDJLMRT')}. {' '.join(family)}"
    if roll < (0.58 if young else 0.33):
        return f"{' '.join(family)}{rng.choice((', ', ', ', ','))}{' '.join(given)}"
    if roll < (0.585 if young else 0.345):
        return " ".join(family)
    if roll < (0.62 if young else 0.38):
        return f"{given[0]} {' '.join(family)}"
    return person.full


def _nickname(rng: Random) -> str:
    return rng.choice(names_spanish.NICKNAMES if rng.random() < 0.3 else names_spanish.NICKNAMES_ENGLISH)


def _quoted(rng: Random, person: Person) -> str:
    """A name with the nickname in quotes or parentheses, or with the full name behind the nickname."""
    nick, given, family = _nickname(rng), person.given[0], " ".join(person.family)
    return rng.choice(
        (
            f'{given} "{nick}" {family}',
            f'{given} "{nick}" {family}',
            f"{given} ({nick}) {family}",
            f"{given} '{nick}' {family}",
            f"{nick} ({given})",
            f'{nick} "{given}" {family}',
            f"{given} {family} ({nick})",
            f"{given} “{nick}” {family}",
        )
    )
