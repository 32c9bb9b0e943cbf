"""The small set that is committed: one file of each main kind, chosen for what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random

from lab.samples import freeform, photos, scans, stacks, word
from lab.samples.forms import acroform, flattened, gdocs, vector_text
from lab.samples.part import DEMONSTRATION, Part
from lab.samples.sample import Sample
from lab.samples.truth import Truth


@dataclass(frozen=True)
class Wanted:
    """A file of the set: its name, how it is drawn, what must be true of its first entry, how large it may be."""

    file: str
    draw: Callable[[Random, Part], Sample]
    fits: Callable[[Truth], bool]
    largest: int = 120_000


def _complete(truth: Truth) -> bool:
    return truth.complete and 70 <= _words(truth) <= 260


def _spanish(truth: Truth) -> bool:
    return _complete(truth) and " mi " in (truth.values["essay_text"] or "")


def _words(truth: Truth) -> int:
    return len((truth.values["essay_text"] or "").split())


def _without(name: str) -> Callable[[Truth], bool]:
    return lambda truth: truth.values[name] is None and bool(truth.values["essay_text"])


def _short(truth: Truth) -> bool:
    return truth.complete and _words(truth) < 45


DEMO_SET: tuple[Wanted, ...] = (
    Wanted("01-form-filled-on-screen.pdf", acroform.draw_2026, _complete),
    Wanted("02-form-without-grade.pdf", acroform.draw_2026, _without("grade")),
    Wanted("03-form-with-a-short-essay.pdf", acroform.draw_2026, _short),
    Wanted("04-form-of-2022.pdf", acroform.draw_2022, lambda truth: _words(truth) > 70),
    Wanted("05-form-saved-on-a-Mac.pdf", acroform.draw_2026_garbled, _complete),
    Wanted("06-blank-form.pdf", acroform.draw_blank, lambda truth: True),
    Wanted("07-form-printed-from-a-browser.pdf", flattened.draw, _spanish),
    Wanted("08-printed-with-an-empty-header.pdf", flattened.draw, lambda truth: "empty_header" in truth.hazards),
    Wanted("09-form-re-flowed.pdf", gdocs.draw_2026, lambda truth: _complete(truth) and (truth.page_end or 0) > 2),
    Wanted("10-essay-without-a-form.pdf", freeform.draw, _complete),
    Wanted("11-essay-without-a-name.pdf", freeform.draw, _without("student_name")),
    Wanted("12-essay-as-outlines.pdf", vector_text.draw_freeform, _complete, 200_000),
    Wanted("13-scan-with-a-handwritten-header.pdf", scans.draw_hand_header, _complete, 420_000),
    Wanted("14-scan-by-hand.pdf", scans.draw_single, _complete, 200_000),
    Wanted("15-stack-of-pairs.pdf", partial(stacks.draw_pairs, entries=2), _complete, 450_000),
    Wanted("16-stack-of-2023.pdf", partial(stacks.draw_typed_batch, entries=3), lambda truth: True, 600_000),
    Wanted("17-photo.jpg", partial(photos.draw, suffix=".jpg"), _complete, 260_000),
    Wanted("18-essay-in-Word.docx", word.draw_short, _complete),
)


def draw_demo_set() -> Iterator[tuple[str, Sample]]:
    """File names and samples."""
    for wanted in DEMO_SET:
        yield wanted.file, _first_fitting(wanted)


def _first_fitting(wanted: Wanted) -> Sample:
    for seed in count(2026):
        sample = wanted.draw(Random(f"{wanted.file}:{seed}"), DEMONSTRATION)
        if wanted.fits(sample.truths[0]) and len(sample.data) <= wanted.largest:
            return sample
    raise AssertionError("unreachable")
