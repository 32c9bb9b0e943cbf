"""The library by words and by meaning: what shares no word is found, and each language by its own list."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from core.config import Settings
from core.llm.embeddings import Vectors
from lab.bench.statements import listed
from research.sources.base import SearchScope
from research.sources.library import LibrarySource
from research.text.meaning import fused, nearness_of
from services.context import Context
from services.library import passages as embedding
from services.library.passages import embed_document
from tests.support.research.library import add_and_read
from tests.support.research.meaning import context_with_embedder
from tests.support.servers.embeddings_server import EmbeddingsServer

#: Words of one meaning, in two languages.
SUBJECTS = (
    ("behind bars", "prison", "cárcel", "preso"),
    ("dad", "father", "padre"),
    ("cost", "fee", "price", "cuesta", "precio"),
    ("tree", "orchard", "huerto"),
)


class Subjects:
    """An embedder that knows only these subjects, and adds a number for Spanish."""

    name = "subjects"
    dimensions = 384
    content_id = "subjects:1"

    def texts(self, texts: Sequence[str]) -> Vectors:
        found = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in zip(found, texts, strict=True):
            for place, words in enumerate(SUBJECTS):
                row[place] = sum(word in text.casefold() for word in words)
            row[100 if any(mark in text for mark in "áéíóúñ¿") or " de " in text else 101] = 3
            row /= np.linalg.norm(row)
        return found

    questions = texts


PRISON = (
    "---\ntitle: Letters home\n---\nInmates of the prison read a story for their child, and a father is heard.\n"
)
HUERTO = "---\ntitle: Los bancales\n---\nUn huerto de la escuela que riegan las familias cada sábado.\n"
COSTS = "---\ntitle: Accounts\n---\nThe fee was raised to nine pounds in January.\n"


@pytest.fixture
def source(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LibrarySource]:
    embedder = Subjects()
    monkeypatch.setattr(embedding, "open_embedder", lambda settings: embedder)
    with EmbeddingsServer() as server, context_with_embedder(settings, server) as context:
        fill(context)
        yield LibrarySource(context.database, embedder)


def fill(context: Context) -> None:
    for name, text in (("prison.md", PRISON), ("huerto.md", HUERTO), ("costs.md", COSTS)):
        key = add_and_read(context, text, name)
        context.redis.flushdb()
        assert embed_document(context, key)


def titles(source: LibrarySource, question: str, **scope: object) -> list[str]:
    return [hit.title for hit in source.search(question, 8, SearchScope(**{"kind": "web", **scope}))]


def test_what_shares_no_word_with_the_question_is_found(source: LibrarySource) -> None:
    assert titles(source, "those behind bars")[0] == "Letters home"
    assert "Letters home" not in titles(LibrarySource(source._database), "those behind bars")


def test_the_other_language_is_found(source: LibrarySource) -> None:
    assert titles(source, "Which trees are there?")[0] == "Los bancales"
    assert titles(source, "¿Qué precio tiene?", language="es")[0] == "Accounts"


def test_each_language_costs_no_statements_of_its_own(source: LibrarySource) -> None:
    with listed(source._database.engine) as statements:
        assert titles(source, "those behind bars")[0] == "Letters home"
    # Whether vectors fit, words in either language, means, neutral sentences, nearest, nearness, documents.
    assert len(statements) <= 8


def test_kinds_are_kept_apart(source: LibrarySource) -> None:
    assert titles(source, "those behind bars", kind="book") == []


def test_a_question_without_words_finds_nothing(source: LibrarySource) -> None:
    assert titles(source, "the of and") == titles(source, "") == []


def test_ranks_are_fused() -> None:
    one, two, three = ((uuid.UUID(int=number), 0) for number in (1, 2, 3))
    assert fused([[one, two], [two, three]])[:2] == [two, one]
    assert fused([[one], [two]]) == [one, two] and fused([]) == []


def test_a_passage_is_as_near_as_its_nearest_sentences() -> None:
    asked = np.array([1.0, 0.0], dtype=np.float32)
    near, far = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)
    assert nearness_of(asked, far, np.array([far, near])) == pytest.approx((1 + 0.5**0.5) / 2)
    assert nearness_of(asked, near, np.empty((0, 2), dtype=np.float32)) == 2
    assert nearness_of(asked, near, np.array([near])) == 2
