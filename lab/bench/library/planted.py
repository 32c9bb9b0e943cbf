"""Draw essays into which names of people, schools and places and ways to reach somebody are put."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from lab.samples.words import (
    essays_english,
    essays_english_held_out,
    essays_spanish,
    essays_spanish_held_out,
    names_development,
    names_held_out,
)
from lab.samples.words.essays import draw_essay

_HERE = Path(__file__).parent
_BANKS = {
    False: {"en": essays_english, "es": essays_spanish},
    True: {"en": essays_english_held_out, "es": essays_spanish_held_out},
}
_NAMES = {False: names_development, True: names_held_out}
#: Beginnings, middles and ends of invented names, for development and held out.
_SYLLABLES = {
    False: (
        "Zor Plen Quav Drix Marv Tzil Obre Yan Kest Fjor Jael Brun",
        "a i o e u",
        "dra vik meth lina quo zeth nor bel",
    ),
    True: (
        "Thwe Xio Ngo Ilu Vash Pru Skel Ouro Hwa Cael Mbe Ruk",
        "le ri no wa ke tu",
        "th shan pek mira gol dys rue ntl",
    ),
}
_ABOUT = ("Father", "Grandfather", "Stepdad")
#: Names of people in the sentences around, which were not planted.
PEOPLE_OF_SENTENCES = frozenset({"joe", "chuy", "raul", "ray"})
#: Share of the planted names that are invented, so that no list has them.
_INVENTED = 0.6


@dataclass(frozen=True)
class Mention:
    """A thing that must not be left in an essay: its kind, and the words that tell it."""

    kind: str
    language: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Planted:
    """An essay with what was put into it."""

    text: str
    mentions: tuple[Mention, ...]


def draw_essays(seed: int, number: int, *, held_out: bool) -> Iterator[Planted]:
    """Yield essays of one part, each with two to five sentences that mention somebody or something."""
    rng = Random(seed)
    for _ in range(number):
        language = rng.choice(("en", "en", "es"))
        yield _draw(rng, language, held_out)


def _draw(rng: Random, language: str, held_out: bool) -> Planted:
    bank = _BANKS[held_out][language]
    paragraphs = draw_essay(
        rng, rng.choice(["2", "4", "5", "7", "9"]), rng.choice(_ABOUT), bank, rng.randint(60, 160)
    )
    mentions: list[Mention] = []
    for kind, sentence in rng.sample(_templates(held_out, language), rng.randint(2, 5)):
        text, words = _filled(rng, sentence, language, held_out)
        mentions.append(Mention(kind, language, words))
        if kind.startswith("signed"):
            paragraphs.append(text)
        else:
            at = rng.randrange(len(paragraphs))
            paragraphs[at] = f"{paragraphs[at]} {text}"
    return Planted("\n\n".join(paragraphs), tuple(mentions))


@cache
def _templates(held_out: bool, language: str) -> list[tuple[str, str]]:
    path = _HERE / f"templates_{'held_out' if held_out else 'development'}.txt"
    lines = [line.split(" ", 2) for line in path.read_text("utf-8").splitlines()]
    return [(kind, sentence) for code, kind, sentence in lines if code == language]


def _filled(rng: Random, sentence: str, language: str, held_out: bool) -> tuple[str, tuple[str, ...]]:
    """Return the sentence with its places filled, and the words that tell who or what is meant."""
    values: dict[str, str] = {}
    words: list[str] = []
    for _, place, _, _ in string.Formatter().parse(sentence):
        if place is not None and place not in values:
            values[place] = _value(rng, place, language, held_out)
            if place != "number":
                words += (
                    values[place].split(" ") if place in ("full", "school", "town", "street") else [values[place]]
                )
    return sentence.format(**values), tuple(words)


def _value(rng: Random, place: str, language: str, held_out: bool) -> str:
    kind = place.rstrip("23").removesuffix("_low")
    if kind == "number":
        return str(rng.randint(11, 9999))
    if kind == "phone":
        return f"{rng.randint(200, 999)}-555-01{rng.randint(10, 99)}"
    if kind in ("handle", "mail"):
        return _reached(rng, kind, language, held_out)
    if kind == "full":
        return f"{_name(rng, 'FIRST', language, held_out)} {_name(rng, 'LAST', language, held_out)}"
    name = _name(rng, "FIRST" if kind == "name" else "LAST", language, held_out)
    return name.lower() if place.endswith("_low") else name


def _reached(rng: Random, kind: str, language: str, held_out: bool) -> str:
    name = _name(rng, "FIRST", language, held_out).lower()
    end = rng.choice((f"_{rng.randint(1, 99)}", f"{rng.randint(10, 999)}", "_official" if held_out else ".real"))
    place = rng.choice(_NAMES[held_out].MAIL_PLACES)
    return f"{name}{end}" if kind == "handle" else f"{name}.{rng.randint(1, 99)}@{place}"


def _name(rng: Random, part: str, language: str, held_out: bool) -> str:
    if rng.random() < _INVENTED:
        begins, middles, ends = (text.split() for text in _SYLLABLES[held_out])
        return rng.choice(begins) + rng.choice(middles) + rng.choice(ends)
    listed: Sequence[str] = getattr(_NAMES[held_out], f"{part}_{'ENGLISH' if language == 'en' else 'SPANISH'}")
    while (name := rng.choice(listed)).lower() in _fillers(held_out):
        pass
    return name


@cache
def _fillers(held_out: bool) -> frozenset[str]:
    """The words of the sentences around, which are left however they are used."""
    text = " ".join(str(vars(bank)) for bank in _BANKS[held_out].values())
    return frozenset("".join(char if char.isalpha() else " " for char in text).lower().split())
