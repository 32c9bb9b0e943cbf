"""Mutated files by number: the same seed and number give the same file."""

from __future__ import annotations

import zlib
from random import Random

from lab.fuzz.mutations import ANY, Mutation, flipped, spliced
from lab.fuzz.packed_mutations import PNG, WORD
from lab.fuzz.pdf_mutations import PDF
from lab.fuzz.seeds import Seed, seeds

#: Files grow with pieces repeated; none may grow beyond this.
_MOST_BYTES = 5_000_000
_OWN: dict[str, tuple[Mutation, ...]] = {".pdf": tuple(PDF) * 2, ".docx": tuple(WORD) * 6, ".png": tuple(PNG) * 6}


def mutated(seed: int, number: int) -> Seed:
    """Return a sound file with one to four mutations."""
    rng = Random(f"{seed}:{number}")
    origin, other = _any(rng), _any(rng)
    data = origin.data
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = _once(rng, origin.suffix, data, other.data)[:_MOST_BYTES] or b"\0"
    return Seed(f"{number} {origin.name}", data)


def _any(rng: Random) -> Seed:
    """A sound file, of each format as often as there are files of it, but pictures and texts twice as often."""
    first, second = rng.choice(seeds()), rng.choice(seeds())
    return second if first.suffix == ".pdf" else first


def _once(rng: Random, suffix: str, data: bytes, other: bytes) -> bytes:
    if rng.random() < 0.05:
        return spliced(rng, data, other)
    change = rng.choice((*ANY, *_OWN.get(suffix, ())))
    try:
        return change(rng, data)
    except zlib.error:
        # An earlier mutation has made a chunk that cannot be unpacked.
        return flipped(rng, data)
