"""A kind of trouble with its ways of coming about, and how a drawn document becomes a file of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from core.confined.mupdf import pymupdf
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth

Way = Callable[[Random, Part], Sample]


@dataclass(frozen=True)
class Trouble:
    """A kind of trouble. No way of making it is of both parts under one drawing."""

    name: str
    #: How many files of 100 are of this kind.
    share: float
    development: Mapping[str, Way]
    held_out: Mapping[str, Way]

    def ways(self, part: Part) -> Mapping[str, Way]:
        """The ways of one part."""
        return self.held_out if part.held_out else self.development


def as_pdf(doc: pymupdf.Document, rng: Random, truths: Sequence[Truth], **fair: Any) -> Sample:
    """The document as a file; `fair` is what its label says of the file (see `Sample.fair`)."""
    return as_file(to_bytes(doc, rng), ".pdf", truths, **fair)


def as_file(data: bytes, suffix: str, truths: Sequence[Truth], **fair: Any) -> Sample:
    """Bytes as a file."""
    return Sample("", suffix, data, list(truths), fair=fair)


def elsewhere(truth: Truth) -> Truth:
    """The truth of an entry that stands on no page of its file, as those of attachments do."""
    truth.page_start, truth.page_end = 0, 0
    truth.boxes.clear()
    return truth
