"""The files that are sent: mostly typed entries, some scans and stacks, some that cannot be read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from lab.samples.corpus import KINDS
from lab.samples.part import DEVELOPMENT
from lab.samples.sample import Sample
from tests.support.reading.bad_files import encrypted, no_documents

#: Kinds whose text is read without recognition, in the order in which they take turns.
_TYPED = (
    "flattened_form_26",
    "gdocs_form_26",
    "freeform_native",
    "flattened_form_26",
    "acroform_26",
    "docx_freeform",
    "flattened_form_26",
    "acroform_22",
)
_SCANNED = ("scan_form_26_hand_header_typed_essay", "scan_single_25_hand", "photo_jpg")
_STACK = "scan_batch_mixed"
#: Entries of one stack.
_STACK_OF = 3
_DRAW = {kind.name: kind.draw for kind in KINDS}


@dataclass(frozen=True)
class Drawn:
    """One file, and what must come of it."""

    kind: str
    suffix: str
    data: bytes
    #: How many records it must have.
    records: int
    #: How many of the entries that are accounted for it stands for: a file that cannot be read stands for one.
    entries: int

    @property
    def digest(self) -> str:
        """The SHA-256 of its bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def readable(self) -> bool:
        """Whether it holds entries; of any other an error must be told."""
        return self.records > 0


def draw(entries: int, seed: int) -> list[Drawn]:
    """Files of just so many entries, in an order that the seed decides."""
    rng = Random(f"faults:{seed}")
    stacks = entries // 70
    scans, unreadable = round(entries * 0.04), round(entries * 0.05)
    typed = entries - stacks * _STACK_OF - scans - unreadable
    files = [
        *(_sample(_STACK, _DRAW[_STACK](rng, DEVELOPMENT, entries=_STACK_OF)) for _ in range(stacks)),
        *(_sample(kind, _DRAW[kind](rng, DEVELOPMENT)) for kind in islice(cycle(_SCANNED), scans)),
        *(_sample(kind, _DRAW[kind](rng, DEVELOPMENT)) for kind in islice(cycle(_TYPED), typed)),
        *islice(_unreadable(seed), unreadable),
    ]
    rng.shuffle(files)
    _require_distinct(files)
    return files


def _sample(kind: str, sample: Sample) -> Drawn:
    count = len(sample.truths)
    return Drawn(kind, sample.suffix, sample.data, count, count)


def _unreadable(seed: int) -> Iterator[Drawn]:
    """Endless: no documents at all, and PDFs under a password."""
    for number in cycle(range(1_000)):
        texts, locked = no_documents(), encrypted()
        mark = f"\n{seed} {number}".encode()
        yield Drawn("no document", ".pdf", texts[number % len(texts)] + mark, 0, 1)
        yield Drawn("encrypted", ".pdf", locked[number % len(locked)] + mark, 0, 1)


def _require_distinct(files: Sequence[Drawn]) -> None:
    if len({file.digest for file in files}) != len(files):
        raise RuntimeError("two files were drawn alike: take another seed")
