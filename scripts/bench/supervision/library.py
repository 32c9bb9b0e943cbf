"""One library with the sources of all subjects, taken in and read as those of an office are."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from core.models import LibraryKind
from scripts.bench.office import own_context
from scripts.bench.supervision.topics import DATA, BenchSource, Topic
from services.context import Context
from services.library.add_document import Shelf, add_document
from services.library.read_document import read_document
from services.uploads.submit_files import IncomingFile

#: Sentences of each source that are of no subject: methods, places, thanks.
_FILLER = 8


@contextmanager
def library(topics: Sequence[Topic]) -> Iterator[Context]:
    """A desk with a database of its own, its library filled."""
    with own_context("supervision") as context:
        for topic in topics:
            _fill(context, topic)
        yield context


def text_of(topic: Topic, source: BenchSource) -> str:
    """A source: a paragraph for each section that it has something on, among others of no subject."""
    paragraphs = [
        " ".join(line.text for line in section.lines if line.letter == source.letter) for section in topic.sections
    ]
    draw = random.Random(f"{topic.name} {source.key}")
    filler = [_worded(sentence, draw) for sentence in draw.sample(_filler(topic.language), _FILLER)]
    paragraphs = [" ".join(filler[:4]), *filter(None, paragraphs), " ".join(filler[4:])]
    return "\n\n".join(paragraphs)


def _fill(context: Context, topic: Topic) -> None:
    for source in topic.sources:
        head = (
            f"title: {source.title}\nauthor: {source.author}\nyear: {source.year}\npublisher: {source.publisher}"
        )
        data = f"---\n{head}\n---\n{text_of(topic, source)}\n".encode()
        file = IncomingFile(f"{topic.name}-{source.letter}.md", data)
        added = add_document(context, None, file, Shelf(LibraryKind(source.kind)), queue=False)
        read_document(context, added.document_id)


def _worded(sentence: str, draw: random.Random) -> str:
    """One of the ways in which a sentence is written: no two sources say it alike."""
    return re.sub(r"\{([^}]*)\}", lambda choices: draw.choice(choices[1].split("|")), sentence)


@cache
def _filler(language: str) -> tuple[str, ...]:
    return tuple((DATA / "filler" / f"{language}.txt").read_text(encoding="utf-8").splitlines())
