"""Draws the text of an essay, in which other people and other schools occur."""

from __future__ import annotations

import re
from random import Random
from types import ModuleType

from lab.headers.facts import FIELD, Facts
from lab.headers.flow import Flow, fill, one, slots_of
from lab.headers.words import essay_english, essay_spanish
from lab.samples.words import essays, essays_english, essays_spanish
from pipeline.extraction.labelling.labeller import Role


def draw_body(facts: Facts, spanish: bool, sentences: int) -> Flow:
    """So many sentences of an essay."""
    rng = facts.rng
    own: ModuleType = essay_spanish if spanish else essay_english
    young, older = facts.grade <= 2, facts.grade >= 8
    openings = own.YOUNG if young else own.OLDER + own.MIDDLE[::2] if older else own.MIDDLE
    plain = _plain(rng, facts.grade, essays_spanish if spanish else essays_english)
    first = rng.choices((own.TRAPS, own.PLACES, plain[:1], own.CALLED, openings), weights=(8, 8, 12, 22, 50))[0]
    chosen: list[str] = [rng.choice(first)]
    while len(chosen) < sentences:
        roll = rng.random()
        if roll < 0.15:
            chosen.append(rng.choice(own.TRAPS if roll < 0.1 else own.PLACES))
        elif roll < 0.35 and plain:
            chosen.append(plain.pop(0))
        else:
            chosen.append(rng.choice(own.YOUNG if young and roll < 0.8 else own.MORE if roll < 0.75 else openings))
    greeting = own.GREETINGS if rng.random() < 0.05 else [""]
    return fill(_greeted(rng, greeting), Role.BODY, facts.body_slot) + _joined(facts, chosen)


def _greeted(rng: Random, greetings: list[str]) -> str:
    """One of the greetings of a letter and the break after it."""
    greeting = rng.choice(greetings)
    return greeting + rng.choice(("\n", "\n\n", " ")) if greeting else ""


def draw_intro(facts: Facts, spanish: bool, given: set[str]) -> Flow | None:
    """The pupil's own words on name, school or grade, telling only what is given."""
    bank = essay_spanish.INTROS if spanish else essay_english.INTROS
    fitting = [text for text in bank if {FIELD[slot] for slot in slots_of(text) if slot in FIELD} <= given]
    return fill(facts.rng.choice(fitting), Role.BODY, facts.body_slot) if fitting else None


def _joined(facts: Facts, sentences: list[str]) -> Flow:
    """The sentences, no two the same, with spaces between."""
    flow: Flow = []
    for sentence in dict.fromkeys(sentences):
        if flow:
            flow += one(facts.rng.choice((" ", " ", " ", " ", "  ")), Role.BODY)
        flow += fill(sentence, Role.BODY, facts.body_slot)
    return flow


def _plain(rng: Random, grade: int, bank: ModuleType) -> list[str]:
    """Sentences of the banks that the samples are made with, in their order, without any slot."""
    about = rng.choice(("Father", "Father", "Grandfather", "Stepdad", "Father-Figure"))
    text = " ".join(essays.draw_essay(rng, str(grade or "K"), about, bank, 60))
    return re.split(r"(?<=[.!?])(?<!Mr\.) +", text.strip())
