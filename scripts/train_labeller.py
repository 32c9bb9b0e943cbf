"""Train the labeller of headers without labels on drawn headers, and measure it on headers that it has not seen.

Writes headers.crfsuite into pipeline/extraction/labelling, beside it the lists common_words.txt.gz and
name_ranks.txt.gz, and the figures of the training as headers.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import names
import pycrfsuite
from spellchecker import SpellChecker

from pipeline.extraction.labelling import lexicon
from pipeline.extraction.labelling.features import features_of
from pipeline.extraction.labelling.labeller import BEGINS, MODEL
from pipeline.extraction.labelling.roles import Role
from pipeline.extraction.labelling.words import split_lines
from pipeline.extraction.values.text import plain
from pipeline.spelling.prior import name_shares
from scripts.build_name_list import surname_percents
from scripts.headers.drawn import Header
from scripts.headers.header import draw_header

HEADERS = 8_000
SEED = 2026
#: Words of each language that have a rank.
WORDS = {"en": 4000, "es": 4000}
PARAMETERS = {
    "c1": 0.3,
    "c2": 0.05,
    "max_iterations": 120,
    "feature.minfreq": 8,
    "feature.possible_transitions": True,
}

#: Roles whose first word has a tag of its own.
VALUES = frozenset((Role.NAME, Role.SCHOOL, Role.GRADE, Role.ROOM, Role.TEACHER, Role.PERSON, Role.TITLE))

#: The features of each word, and each word's tag.
Tagged = tuple[list[list[str]], list[str]]


def write_common_words() -> None:
    """The most frequent words of both languages, the commonest first."""
    parts = []
    for code, most in WORDS.items():
        counts: Counter[str] = Counter()
        for word, count in SpellChecker(language=code).word_frequency.dictionary.items():
            counts[plain(word)] += count
        parts.append("\n".join(word for word, _ in counts.most_common(most)))
    path = MODEL.with_name("common_words.txt.gz")
    path.write_bytes(gzip.compress("\n\n".join(parts).encode(), mtime=0))
    lexicon.forget()


def write_name_ranks() -> None:
    """How common each listed name is as a given name and as a surname.

    The list's share of a name is the mean of its shares among first names and among surnames; the surnames' are
    those of the Census Bureau of 1990, as the package `names` (MIT licence) holds them.
    """
    surnames = surname_percents(Path(names.__file__).parent / "dist.all.last")
    total = sum(surnames.values())
    last = {name: share / total for name, share in surnames.items()}
    ranks = [
        (lexicon.rank_of(2 * share - last.get(name, 0.0)), lexicon.rank_of(last.get(name, 0.0)))
        for name, share in name_shares().items()
    ]
    text = "\n".join("".join(digits) for digits in zip(*ranks, strict=True))
    MODEL.with_name("name_ranks.txt.gz").write_bytes(gzip.compress(text.encode("ascii"), mtime=0))
    lexicon.forget()


def sequence_of(header: Header) -> Tagged:
    """The features of the words of a header and their tags."""
    texts = ["".join(piece.text for piece in line) for line in header.lines]
    owner = [[piece.role for piece in line for _ in piece.text] for line in header.lines]
    split = split_lines(texts)
    tags: list[str] = []
    before = None
    for word in (word for line in split for word in line.words):
        role = Counter(owner[word.line][word.start : word.end]).most_common(1)[0][0]
        tags.append(f"{BEGINS}{role}" if role in VALUES and role != before else role.value)
        before = role
    return features_of(split), tags


def drawn(seed: int, number: int) -> Iterator[Header]:
    """Headers drawn with a seed."""
    rng = Random(seed)
    for _ in range(number):
        yield draw_header(rng)


def train(headers: Iterable[Header], path: Path) -> dict[str, float]:
    """Train on these headers; returns what was trained with."""
    trainer = pycrfsuite.Trainer(verbose=False, algorithm="lbfgs", params=PARAMETERS)
    words = sequences = 0
    for header in headers:
        features, tags = sequence_of(header)
        trainer.append(pycrfsuite.ItemSequence(features), tags)
        words += len(tags)
        sequences += 1
    start = time.monotonic()
    trainer.train(str(path))
    return {"headers": sequences, "words": words, "minutes": round((time.monotonic() - start) / 60, 1)}


def measured(headers: Iterable[Header], path: Path) -> dict[str, float]:
    """Share of words with the right role, and of headers in which every word of a role is right, by role."""
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for header in headers:
        features, tags = sequence_of(header)
        said = tagger.tag(pycrfsuite.ItemSequence(features))
        seen["words"] += len(tags)
        right["words"] += sum(a == b for a, b in zip(said, tags, strict=True))
        for role in ("name", "school", "grade", "room", "teacher", "title", "date"):
            wanted, given = (
                {n for n, one in enumerate(labels) if one.removeprefix(BEGINS) == role} for labels in (tags, said)
            )
            seen[role] += 1
            right[role] += wanted == given
    return {name: round(right[name] / seen[name], 4) for name in seen}


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", type=int, default=HEADERS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=MODEL)
    given = parser.parse_args()
    write_common_words()
    write_name_ranks()
    made = train(drawn(given.seed, given.headers), given.out)
    found = measured(drawn(given.seed + 1, 1000), given.out)
    figures = {
        "seed": given.seed,
        **made,
        "bytes": given.out.stat().st_size,
        "right": found,
        "parameters": PARAMETERS,
    }
    given.out.with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
