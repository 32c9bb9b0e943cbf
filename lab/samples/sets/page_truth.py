"""Files whose pages show something else than their bytes say, or that hold more than one sees."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lab.samples.page_truth.kinds import TROUBLES
from lab.samples.part import Part
from lab.samples.sample import Sample


def draw_page_truth(part: Part, seed: int, files: int) -> Iterator[tuple[str, Sample]]:
    """File names and samples of about so many files of a part: every way of each trouble, in turn."""
    whole = sum(trouble.share for trouble in TROUBLES)
    for trouble in TROUBLES:
        ways = list(trouble.ways(part).items())
        for number in range(max(len(ways), round(files * trouble.share / whole))):
            way, draw = ways[number % len(ways)]
            sample = draw(Random(f"{seed}:{part.name}:{trouble.name}:{number}"), part)
            sample.kind, sample.part, sample.stem = trouble.name, part.name, trouble.name
            for truth in sample.truths:
                truth.hazards.append(way)
            yield f"{trouble.name}-{number + 1:02d}-{way.strip('.')}{sample.suffix}", sample
