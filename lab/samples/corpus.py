"""The mix of a corpus: which kinds, how many files of each, how large the stacks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from lab.samples import freeform, photos, scans, stacks, word
from lab.samples.forms import acroform, flattened, gdocs, vector_text
from lab.samples.part import DEVELOPMENT, Part
from lab.samples.sample import Sample
from lab.samples.sets.poor_copies import draw_poor_copies
from lab.samples.stacks import draw_one_school
from lab.samples.words.people import plain
from lab.samples.words.schools import schools_csv


@dataclass(frozen=True)
class Kind:
    """A kind of file, its share of the entries, and for stacks how many entries one holds."""

    name: str
    share: float
    draw: Callable[..., Sample]
    stack: tuple[int, int] | None = None


#: Shares follow one real collection; kinds rare there are drawn a little more often.
KINDS: tuple[Kind, ...] = (
    Kind("acroform_22", 4, acroform.draw_2022),
    Kind("acroform_26", 10, acroform.draw_2026),
    Kind("acroform_26_garbled_text", 5, acroform.draw_2026_garbled),
    Kind("blank_form_26", 1, acroform.draw_blank),
    Kind("flattened_form_26", 18, flattened.draw),
    Kind("gdocs_form_26", 11, gdocs.draw_2026),
    Kind("gdocs_form_25", 4, gdocs.draw_2025),
    Kind("freeform_native", 18, freeform.draw),
    Kind("vector_text_form_26", 2, vector_text.draw_form),
    Kind("vector_text_freeform", 2, vector_text.draw_freeform),
    Kind("scan_form_26_hand_header_typed_essay", 3, scans.draw_hand_header),
    Kind("scan_single_25_hand", 3, scans.draw_single),
    Kind("scan_batch_25_hand", 10, stacks.draw_batch, (4, 9)),
    Kind("scan_batch_25_hand_pairs", 6, stacks.draw_pairs, (3, 8)),
    Kind("scan_batch_23_typed", 14, stacks.draw_typed_batch, (6, 22)),
    Kind("scan_batch_mixed", 8, stacks.draw_mixed, (3, 8)),
    Kind("scan_two_sided", 4, stacks.draw_two_sided, (1, 5)),
    Kind("photo_pdf", 2, photos.draw_pdf),
    Kind("photo_jpg", 1, partial(photos.draw, suffix=".jpg")),
    Kind("photo_png", 1, partial(photos.draw, suffix=".png")),
    Kind("photo_heic", 1, partial(photos.draw, suffix=".heic")),
    Kind("docx_freeform", 3, word.draw_short),
    Kind("docx_freeform_multi", 2, word.draw_long),
)


#: How the names of the kinds begin that are recognised, photos apart: these take a minute each.
_PICTURES = ("scan_", "vector_text_", "acroform_26_garbled_text")


def draw_corpus(
    entries: int, seed: int, kinds: frozenset[str] | None = None, part: Part = DEVELOPMENT
) -> Iterator[tuple[str, Sample]]:
    """File names and samples of one part, of about that many entries, at least one file a kind."""
    chosen = [kind for kind in KINDS if not kinds or kind.name in kinds]
    total = sum(kind.share for kind in chosen)
    number = 0
    for kind in chosen:
        rng = Random(f"{seed}:{part.name}:{kind.name}" if part.held_out else f"{seed}:{kind.name}")
        for size in _sizes(rng, kind, max(1, round(entries * kind.share / total))):
            sample = kind.draw(rng, part) if size is None else kind.draw(rng, part, entries=size)
            sample.part = part.name
            number += 1
            yield _file_name(rng, part, number, sample), sample


def draw_recognised(part: Part, seed: int, entries: int, copies: int) -> Iterator[tuple[str, Sample]]:
    """File names and samples of single entries that are read from pictures: of the mix, and poor copies."""
    pictures = frozenset(kind.name for kind in KINDS if kind.name.startswith(_PICTURES) and kind.stack is None)
    yield from draw_corpus(entries, seed, pictures, part)
    yield from draw_poor_copies(part, seed, copies)


def draw_one_school_stacks(part: Part, seed: int, stacks: int, entries: int) -> Iterator[tuple[str, Sample]]:
    """File names and samples of stacks, each of one school by many hands; no part of the mix."""
    for number in range(1, stacks + 1):
        sample = draw_one_school(Random(f"{seed}:{part.name}:one school:{number}"), part, entries)
        sample.part = part.name
        yield f"{number:03d} one school{sample.suffix}", sample


def write_corpus(folder: Path, drawn: Iterable[tuple[str, Sample]], part: Part = DEVELOPMENT) -> int:
    """Write files, `labels.json` and the part's `schools.csv` into a folder; returns the number of entries."""
    folder.mkdir(parents=True, exist_ok=True)
    labels: dict[str, Any] = {}
    for name, sample in drawn:
        (folder / name).write_bytes(sample.data)
        labels[hashlib.sha256(sample.data).hexdigest()] = {
            "file": name,
            "kind": sample.kind,
            "blank_pages": sample.blank_pages,
            **({"part": sample.part} if sample.part else {}),
            **sample.fair,
            "entries": [truth.label(sample.part) for truth in sample.truths],
        }
    text = json.dumps(labels, ensure_ascii=False, indent=1)
    (folder / "labels.json").write_text(text + "\n", encoding="utf-8")
    (folder / "schools.csv").write_text(schools_csv(part.schools), encoding="utf-8")
    return sum(len(label["entries"]) for label in labels.values())


def _sizes(rng: Random, kind: Kind, entries: int) -> list[int | None]:
    """The number of entries of each file of a kind; None where a file holds one."""
    if kind.stack is None:
        return [None] * entries
    low, high = kind.stack
    sizes: list[int | None] = []
    while entries > 0:
        size = min(high, max(low, entries if entries <= high else rng.randint(low, high)))
        sizes.append(size)
        entries -= size
    return sizes


def _file_name(rng: Random, part: Part, number: int, sample: Sample) -> str:
    """Names as people give them: the pupil's, somebody else's, or none at all."""
    name = sample.truths[0].values["student_name"] or ""
    words = [plain(word) for word in name.split()]
    stem = f"{sample.stem}_{rng.randrange(10, 9999)}"
    if len(sample.truths) == 1 and len(words) > 1 and rng.random() < 0.3:
        stem = rng.choice((f"{words[0]} {words[-1]}", f"{words[-1]}_{words[0][0]}", f"{words[0]} essay (1)"))
    elif len(sample.truths) == 1 and rng.random() < 0.12:
        stem = rng.choice(
            ("Mrs. Halloran class", "dads essay", "Nicolas Ocampo final", "fatherhood essay contest")
            if not part.held_out
            else ("Room 12 Mr. Tilden", "essay for dad", "Valeria Ochoa fixed", "ensayo concurso")
        )
    return f"{number:03d} {stem}{sample.suffix}"
