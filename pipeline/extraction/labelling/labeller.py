"""The trained sequence labeller: a small network over the words of an essay's first lines.

The model (headers.npz) is made by `lab/train_labeller.py` from drawn headers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from pipeline.extraction.labelling.features import features_of
from pipeline.extraction.labelling.network import Network
from pipeline.extraction.labelling.roles import Role
from pipeline.extraction.labelling.words import LabelLine, LabelWord, split_lines

MODEL = Path(__file__).parent / "headers.npz"
#: In front of the role of the first word of a value.
BEGINS = "B-"
#: Words that are labelled; forty printed lines have 800. Each word is compared with each other one.
MOST_WORDS = 1500
#: Tags of less probability are left out of a word's shares.
_LEAST = 0.001


@dataclass(frozen=True, slots=True)
class Labelled:
    """A word and its role in the most probable sequence."""

    word: LabelWord
    role: Role
    #: Whether a value begins with it.
    begins: bool
    #: Marginal probability (0-1) of each role that is not nearly impossible.
    shares: Mapping[Role, float]

    @property
    def probability(self) -> float:
        """Marginal probability of the word's role."""
        return self.shares.get(self.role, 0.0)


@cache
def _network() -> Network:
    return Network.load(MODEL)


def load() -> None:
    """Load model and lists now instead of at the first call of `label`."""
    label(["Name"])


def label(lines: Sequence[str]) -> list[Labelled]:
    """Label the words of some lines, top first; blank lines matter. See `words.split_lines` for the spaces.

    Lines with which there are more than MOST_WORDS words are left out, and all below them.
    """
    split = _first(split_lines(lines))
    words = [word for line in split for word in line.words]
    if not words:
        return []
    network = _network()
    tags, shares = network.tagged(features_of(split), [word.line for word in words])
    roles = [Role(_role(tag)) for tag in network.tags]
    return [
        Labelled(word, Role(_role(tag)), tag.startswith(BEGINS), _by_role(roles, share))
        for word, tag, share in zip(words, tags, shares.tolist(), strict=True)
    ]


def _first(lines: list[LabelLine]) -> list[LabelLine]:
    """Return the lines before that with which there are more words than can be labelled."""
    counts = accumulate(len(line.words) for line in lines)
    return [line for line, count in zip(lines, counts, strict=True) if count <= MOST_WORDS]


def _by_role(roles: Sequence[Role], shares: Iterable[float]) -> dict[Role, float]:
    """Add up the shares of the tags of each role."""
    found: dict[Role, float] = {}
    for role, share in zip(roles, shares, strict=True):
        if share >= _LEAST:
            found[role] = found.get(role, 0.0) + share
    return found


def _role(tag: str) -> str:
    return tag.removeprefix(BEGINS)
