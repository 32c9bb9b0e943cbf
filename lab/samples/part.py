"""The two parts of a corpus. Whatever a reader is tuned on comes from one, what judges it from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import ModuleType

from lab.samples.hand import fonts
from lab.samples.words import (
    essays_english,
    essays_english_held_out,
    essays_spanish,
    essays_spanish_held_out,
    people,
    schools,
)


@dataclass(frozen=True)
class Part:
    """People, schools, sentences, hands, type and damage of one part; no other part has any of them."""

    #: None for the set that is committed: it belongs to no part.
    name: str | None
    names: people.Names
    schools: schools.SchoolList
    english: ModuleType
    spanish: ModuleType
    hands: Mapping[str, fonts.HandFace]
    #: Faces of essays that are typed without a form.
    typefaces: tuple[str, ...]
    held_out: bool
    #: Whether the rarer hazards occur; the committed set shows the common cases only.
    rare: bool = True

    def essays(self, spanish: bool) -> ModuleType:
        """The sentence bank of a language."""
        return self.spanish if spanish else self.english


DEVELOPMENT = Part(
    name="development",
    names=people.DEVELOPMENT,
    schools=schools.DEVELOPMENT,
    english=essays_english,
    spanish=essays_spanish,
    hands=fonts.HANDS,
    typefaces=("sans", "serif", "serif", "dejavu"),
    held_out=False,
)
HELD_OUT = Part(
    name="held_out",
    names=people.HELD_OUT,
    schools=schools.HELD_OUT,
    english=essays_english_held_out,
    spanish=essays_spanish_held_out,
    hands=fonts.HELD_OUT_HANDS,
    typefaces=("carlito", "carlito", "caladea", "comic"),
    held_out=True,
)
DEMONSTRATION = Part(
    name=None,
    names=people.DEVELOPMENT,
    schools=schools.DEVELOPMENT,
    english=essays_english,
    spanish=essays_spanish,
    hands=fonts.HANDS,
    typefaces=DEVELOPMENT.typefaces,
    held_out=False,
    rare=False,
)
PARTS: dict[str, Part] = {"development": DEVELOPMENT, "held_out": HELD_OUT}


def aside(rng: Random, purpose: str) -> Random:
    """Chance of its own for a purpose, drawn from where the given one stands without moving it on."""
    return Random(f"{purpose}:{hash(rng.getstate()[1])}")
