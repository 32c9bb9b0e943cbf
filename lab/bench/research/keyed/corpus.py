"""Reads `data/digest/*.txt`: a query, two questions, documents of labelled sentences.

Twelve documents answer with half of their sentences; the last three only use the questions' words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

_FOLDER = Path(__file__).resolve().parent.parent / "data" / "digest"


@dataclass(frozen=True)
class Document:
    """A document; `labels` holds "a", "b" or "-" for each sentence."""

    title: str
    sentences: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def text(self) -> str:
        """As a reader sees it."""
        return f"# {self.title}\n\n{' '.join(self.sentences)}\n"


@dataclass(frozen=True)
class Topic:
    """A query with its two questions and what was found for them."""

    name: str
    language: Literal["en", "es"]
    query: str
    questions: dict[str, str]
    documents: tuple[Document, ...]

    @property
    def label_of(self) -> dict[str, str]:
        """By sentence."""
        return {
            sentence: label
            for document in self.documents
            for sentence, label in zip(document.sentences, document.labels, strict=True)
        }

    def answers(self, passage: str) -> bool:
        """Whether a passage holds a sentence that answers one of the questions."""
        return any(sentence in passage for sentence, label in self.label_of.items() if label != "-")


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic, in the order of its file's name."""
    return tuple(_topic(path) for path in sorted(_FOLDER.glob("*.txt")))


def _topic(path: Path) -> Topic:
    head, *blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    told = dict(line.split(": ", 1) for line in head.splitlines())
    language: Literal["en", "es"] = "es" if path.stem.endswith(".es") else "en"
    questions = {label: told[label] for label in ("a", "b")}
    return Topic(path.stem, language, told["query"], questions, tuple(_document(block) for block in blocks))


def _document(block: str) -> Document:
    title, *lines = block.splitlines()
    labels = tuple(line[0] for line in lines)
    return Document(title.removeprefix("@ "), tuple(line[2:] for line in lines), labels)
