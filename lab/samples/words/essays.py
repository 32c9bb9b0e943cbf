"""Composes an essay in a child's voice from the sentence banks."""

from __future__ import annotations

from random import Random
from types import ModuleType


def draw_essay(rng: Random, grade: str | None, about: str, bank: ModuleType, words: int) -> list[str]:
    """Paragraphs of about the wanted number of words."""
    age = _age(grade)
    who = rng.choice(bank.CALLED[about])
    opening = _fill(rng, bank, rng.choice(_sentences(bank.OPENINGS[age])), who)
    closing = _fill(rng, bank, rng.choice(_sentences(bank.CLOSINGS[age])), who)
    middles = _middles(rng, bank, age)
    body: list[str] = []
    room = words - _count([opening, closing])
    while middles and _count(body) < room:
        body.append(_fill(rng, bank, middles.pop(), who))
    if words < 30:
        body = body[: max(1, words // 9)]
    return _paragraphs(rng, [opening, *body, closing])


def draw_reaction(rng: Random, bank: ModuleType) -> str:
    """What the father figure writes under the essay."""
    return rng.choice(_sentences(bank.REACTIONS))


def draw_title(rng: Random, bank: ModuleType) -> str:
    """A title as freeform essays carry."""
    titles: list[str] = bank.TITLES
    return rng.choice(titles)


def misspell(rng: Random, paragraphs: list[str], bank: ModuleType) -> list[str]:
    """The paragraphs with some words spelt as children spell them."""
    wrong = bank.MISSPELT
    return [
        " ".join(wrong[word] if word in wrong and rng.random() < 0.5 else word for word in text.split())
        for text in paragraphs
    ]


def _age(grade: str | None) -> str:
    if grade in ("K", "1", "2"):
        return "young"
    return "older" if grade in ("8", "9", "10", "11", "12") else "middle"


def _middles(rng: Random, bank: ModuleType, age: str) -> list[str]:
    """Sentences in random order; older writers borrow plainer ones when theirs run out."""
    own = _sentences(bank.MIDDLES[age])
    rng.shuffle(own)
    borrowed = _sentences(bank.MIDDLES["middle"]) if age != "middle" else _sentences(bank.MIDDLES["young"])
    rng.shuffle(borrowed)
    return borrowed + own


def _sentences(block: str) -> list[str]:
    return [" ".join(part.split()) for part in block.split("|")]


def _fill(rng: Random, bank: ModuleType, sentence: str, who: str) -> str:
    slots = {name: rng.choice(values) for name, values in bank.SLOTS.items()}
    time = slots["time"]
    filled = sentence.format(who=who, Who=who[0].upper() + who[1:], Time_cap=time[0].upper() + time[1:], **slots)
    return filled


def _count(sentences: list[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)


def _paragraphs(rng: Random, sentences: list[str]) -> list[str]:
    if len(sentences) < 8:
        return [" ".join(sentences)]
    paragraphs, start = [], 0
    while start < len(sentences):
        size = rng.randint(4, 8)
        paragraphs.append(" ".join(sentences[start : start + size]))
        start += size
    return paragraphs
