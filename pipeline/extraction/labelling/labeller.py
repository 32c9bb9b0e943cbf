"""The trained sequence labeller: a conditional random field over the words of an essay's first lines.

The model (headers.crfsuite) is made by `scripts/train_labeller.py` from drawn headers; the library is
python-crfsuite, of CRFsuite by Naoaki Okazaki.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pycrfsuite

from pipeline.extraction.labelling.features import features_of
from pipeline.extraction.labelling.roles import Role
from pipeline.extraction.labelling.words import LabelWord, split_lines

MODEL = Path(__file__).parent / "headers.crfsuite"
#: In front of the role of the first word of a value.
BEGINS = "B-"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A word and its role in the most probable sequence."""

    word: LabelWord
    role: Role
    #: Whether a value begins with it.
    begins: bool
    #: Marginal probability of the role (0-1).
    probability: float


@cache
def _tagger() -> pycrfsuite.Tagger:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(MODEL))
    return tagger


def load() -> None:
    """Load model and lists now instead of at the first call of `label`."""
    label(["Name"])


def label(lines: Sequence[str]) -> list[Labelled]:
    """Label the words of some lines, top first; blank lines matter. See `words.split_lines` for the spaces."""
    split = split_lines(lines)
    words = [word for line in split for word in line.words]
    if not words:
        return []
    tagger = _tagger()
    # The tagger keeps the sequence, which the marginals are then asked of.
    tags = tagger.tag(pycrfsuite.ItemSequence(features_of(split)))
    known = frozenset(tagger.labels())
    found: list[Labelled] = []
    for at, (word, tag) in enumerate(zip(words, tags, strict=True)):
        role = tag.removeprefix(BEGINS)
        ways = known & {role, f"{BEGINS}{role}"}
        probability = sum(tagger.marginal(way, at) for way in ways)
        found.append(Labelled(word, Role(role), tag.startswith(BEGINS), probability))
    return found
