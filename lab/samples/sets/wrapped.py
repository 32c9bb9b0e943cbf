"""Re-flowed forms whose header cells wrap: a corpus of its own, beside the mix of `corpus.py`."""

from __future__ import annotations

from random import Random

from lab.samples.forms.wrapped import draw
from lab.samples.part import Part
from lab.samples.sample import Sample


def draw_wrapped(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """File names and samples of so many entries of a part."""
    found = []
    for number in range(1, entries + 1):
        sample = draw(Random(f"{seed}:{part.name}:wrapped:{number}"), part)
        sample.part = part.name
        found.append((f"wrapped-{number:03d}.pdf", sample))
    return found
