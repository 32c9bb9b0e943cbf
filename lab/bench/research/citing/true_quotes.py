"""Quotations that occur in their passage, shortened and written as people do."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from random import Random

from lab.bench.research.citing.fakes import negates
from lab.bench.research.citing.passages import Entry, typeset


def true_quotes(entry: Entry, random: Random) -> list[tuple[str, str]]:
    """Return pairs of kind and quotation."""
    sentences = entry.sentences
    cut = [("sentence", sentence) for sentence in sentences]
    cut += [("two sentences", f"{a} {b}") for a, b in pairwise(sentences)]
    cut += [("stretch", _stretch(entry.text, random)) for _ in range(4)]
    # Omitting a "not" changes the meaning, so the result is not a quotation.
    cut += [
        ("ellipsis", _shortened(one, random)) for one in sentences if len(one.split()) > 9 and not negates(one)
    ]
    cut += [("two ends", f"{sentences[0]} {random.choice(['…', '[…]', '...', '(...)'])} {sentences[2]}")]
    cut += [("small letter", _other_case(sentence)) for sentence in sentences[:2]]
    return [(kind, _written(quote, random)) for kind, quote in cut]


def _stretch(text: str, random: Random) -> str:
    words = text.split(" ")
    length = random.randint(4, 16)
    start = random.randrange(max(1, len(words) - length))
    return " ".join(words[start : start + length])


def _shortened(sentence: str, random: Random) -> str:
    words = sentence.split(" ")
    first = random.randint(3, 4)
    last = random.randint(3, 4)
    return f"{' '.join(words[:first])} {random.choice(['…', '[...]', '. . .'])} {' '.join(words[-last:])}"


def _other_case(sentence: str) -> str:
    first = sentence[0]
    if not first.isalpha():
        return sentence
    return f"[{first.lower()}]{sentence[1:]}"


def _written(quote: str, random: Random) -> str:
    """In the writer's own typography."""
    ways = (
        lambda text: text,
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("“", '"').replace("”", '"').replace("«", '"').replace("»", '"'),
        lambda text: f"“{text.replace('“', '‘').replace('”', '’')}”",
        lambda text: text.rstrip(".") + ",",
        lambda text: typeset(text, random),
        lambda text: text.replace(" ", "  ").replace("'", "’"),
    )
    return random.choice(ways)(quote)
