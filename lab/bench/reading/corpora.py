"""The corpora that are read, drawn anew for each run, and what of them each measurement takes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.samples.corpus import draw_one_school_stacks, draw_recognised, write_corpus
from lab.samples.part import PARTS
from lab.samples.sets.faint import draw_faint
from lab.samples.sets.model_pages import draw_model_pages
from lab.samples.sets.openings import SETS, draw_openings
from lab.samples.sets.overflow import draw_overflow
from lab.samples.sets.page_truth import draw_page_truth
from lab.samples.sets.poor_copies import draw_poor_copies
from lab.samples.sets.second_reader import draw_headers
from lab.samples.sets.wrapped import draw_wrapped

ROOT = Path(__file__).resolve().parent.parent.parent.parent
FOLDER = ROOT / "build" / "bench" / "reading"
SEED = 2027
DEVELOPMENT, HELD_OUT = "development", "held_out"
#: The entries that the demo reads; they are not drawn anew.
SAMPLES = "samples"
#: Re-flowed headers whose cells wrap, of the held-out part.
WRAPPED = "wrapped"
#: Handwritten forms whose answers leave their place, and forms in faint pencil, both of the held-out part.
OVERFLOW, FAINT = "overflow", "faint"
#: Single entries whose header is written by hand, on every form, of the held-out part.
HEADERS = "headers"
#: Stacks of one school by many hands, of the held-out part: how many, and the entries of each.
STACKS = "stacks"
STACKS_OF = (4, 15)
#: One long stack of the same kind.
LONG_STACK = "long_stack"
LONG_STACK_OF = (1, 100)
#: Poor copies of header pages, of the held-out part.
POOR_COPIES = "poor_copies"
#: Handwritten forms that a vision model transcribes, of the held-out part.
MODEL_PAGES = "model_pages"
#: Single entries of the held-out part that are read from pictures: so many of the mix, so many poor copies.
CONFIDENCE = "confidence"
CONFIDENCE_OF = (8, 30)
#: Files of which the bytes and the pages say two things, of the held-out part, and how many of them are drawn.
PAGE_TRUTH = "page_truth"
PAGE_TRUTH_FILES = 430
#: About how many entries of each part are drawn.
ENTRIES = {
    DEVELOPMENT: 90,
    HELD_OUT: 210,
    WRAPPED: 120,
    OVERFLOW: 44,
    FAINT: 40,
    POOR_COPIES: 132,
    MODEL_PAGES: 24,
    HEADERS: 96,
}
#: How the corpora of forms that are drawn by themselves come about.
_OWN_FORMS = {
    WRAPPED: draw_wrapped,
    OVERFLOW: draw_overflow,
    FAINT: draw_faint,
    POOR_COPIES: draw_poor_copies,
    HEADERS: draw_headers,
    MODEL_PAGES: draw_model_pages,
}
#: Kinds of files whose text layer differs from the visible text, so that recognition is correct.
BAD_TEXT = ("garbled", "vector_text")


@dataclass(frozen=True)
class Labelled:
    """One file of a corpus with its label."""

    path: Path
    kind: str
    label: Mapping[str, Any]

    @property
    def good_text(self) -> bool:
        """Whether its text layer can be believed."""
        typed = all(entry["typed"] for entry in self.label["entries"])
        return typed and not any(word in self.kind for word in BAD_TEXT)

    @property
    def is_pdf(self) -> bool:
        """Whether it needs no conversion."""
        return self.path.suffix == ".pdf"


def draw(part: str) -> Path:
    """Draw one part of the corpus; its folder. The only place that knows how a part is asked for."""
    out = FOLDER / part
    shutil.rmtree(out, ignore_errors=True)
    if part in SETS:
        write_corpus(out, draw_openings(PARTS[HELD_OUT], SEED, part), PARTS[HELD_OUT])
        return out
    if part == CONFIDENCE:
        write_corpus(out, draw_recognised(PARTS[HELD_OUT], SEED, *CONFIDENCE_OF), PARTS[HELD_OUT])
        return out
    if part in _OWN_FORMS:
        write_corpus(out, _OWN_FORMS[part](PARTS[HELD_OUT], SEED, ENTRIES[part]), PARTS[HELD_OUT])
        return out
    if part == PAGE_TRUTH:
        write_corpus(out, draw_page_truth(PARTS[HELD_OUT], SEED, PAGE_TRUTH_FILES), PARTS[HELD_OUT])
        return out
    if part in (STACKS, LONG_STACK):
        count, entries = STACKS_OF if part == STACKS else LONG_STACK_OF
        write_corpus(out, draw_one_school_stacks(PARTS[HELD_OUT], SEED, count, entries), PARTS[HELD_OUT])
        return out
    command = [sys.executable, str(ROOT / "lab" / "make_samples.py"), "--out", str(out), "--part", part]
    subprocess.run([*command, "--entries", str(ENTRIES[part]), "--seed", str(SEED)], check=True)
    return out


def corpus_of(part: str, reuse: bool) -> Path:
    """The folder of a part; with `reuse` as an earlier run has drawn it."""
    if part == SAMPLES:
        return ROOT / "samples"
    if reuse and (FOLDER / part / "labels.json").is_file():
        return FOLDER / part
    return draw(part)


def labels_of(folder: Path) -> dict[str, Any]:
    """The labels of a corpus, by the digest of the file."""
    labels: dict[str, Any] = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return labels


def files_of(folder: Path) -> Iterator[Labelled]:
    """The files of a corpus in their order."""
    for label in sorted(labels_of(folder).values(), key=lambda label: str(label["file"])):
        yield Labelled(folder / label["file"], str(label["kind"]), label)
