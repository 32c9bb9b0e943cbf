"""Meaning by an embedder: each text once, kept with the report, and words alone where it fails."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import numpy as np
import pytest
from sqlalchemy import delete, text

from core.config import Settings
from core.llm.embeddings import Embedder, NoEmbedder, open_embedder
from core.models import Report
from lab.bench.statements import listed
from research.text.meaning import (
    Languages,
    Meaning,
    NoMeaning,
    Text,
    common_ground,
    covering,
    means_of,
    near_duplicates,
    rank_texts,
)
from research.text.stored_meaning import open_stored, vector_literal, vector_of
from services.context import Context
from tests.support.research import reports
from tests.support.research.meaning import context_with_embedder, vectors_of_texts
from tests.support.servers.embeddings_server import EmbeddingsServer
from tests.support.servers.loopback import json_response

TEXTS = ("The library lends tools.", "A workshop for guitars.", "Its fee is nine pounds.")


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer() as running:
        yield running


@pytest.fixture
def context(settings: Settings, server: EmbeddingsServer) -> Iterator[Context]:
    with context_with_embedder(settings, server) as opened:
        yield opened


@pytest.fixture
def report_id(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return reports.make_running_report(session).id


def embedder_of(context: Context) -> Embedder:
    return open_embedder(context.settings)


def opened(context: Context, report_id: uuid.UUID | None = None) -> Meaning:
    return open_stored(context.database, embedder_of(context), report_id) or NoMeaning()


def test_each_text_is_embedded_once_and_read_back_as_it_was(
    context: Context, server: EmbeddingsServer, report_id: uuid.UUID
) -> None:
    first = opened(context, report_id).of_texts([*TEXTS, TEXTS[0]])
    asked = len(server.texts)
    again = opened(context, report_id).of_texts([*TEXTS, TEXTS[0]])
    assert first is not None and again is not None and np.array_equal(first, again)
    assert asked == len(server.texts) == 3 and first.shape == (4, 384)


def test_the_vectors_of_a_report_go_with_it(context: Context, report_id: uuid.UUID) -> None:
    opened(context, report_id).of_texts(TEXTS)
    assert vectors_of_texts(context) == 3
    context.database.execute(delete(Report).where(Report.id == report_id))
    assert context.database.scalar(text("select count(*) from embeddings.passage_embeddings")) == 0


def test_of_no_report_nothing_is_kept_but_the_sentences_of_no_subject(
    context: Context, server: EmbeddingsServer
) -> None:
    meaning = opened(context)
    meaning.of_texts(TEXTS)
    meaning.of_questions(["Who is it?"])
    assert rank_texts("What do they lend?", [Text(one, "en") for one in TEXTS], meaning)
    ground = [one for told in common_ground().values() for several in told.values() for one in several]
    assert context.database.scalar(text("select count(*) from embeddings.passage_embeddings")) == len(ground)
    before = len(server.texts)
    assert Languages.by(opened(context)) is not None and len(server.texts) == before


def test_a_question_asks_the_database_nothing_and_the_neutral_sentences_do_so_once(context: Context) -> None:
    assert Languages.by(opened(context)) is not None
    meaning = opened(context)
    with listed(context.database.engine) as statements:
        assert meaning.of_questions(["Who is it?"]) is not None and Languages.by(meaning) is not None
    assert statements == []


def test_an_embedder_that_fails_leaves_texts_to_their_words(context: Context, server: EmbeddingsServer) -> None:
    server.answers = [lambda request: json_response({}, 500)] * 20
    texts = [Text(one, "en") for one in TEXTS]
    assert rank_texts("fee", texts, opened(context)) == rank_texts("fee", texts, NoMeaning())
    assert covering(["fee", "hours"], texts, opened(context)) == [[2], []]


def test_words_alone_decide_where_vectors_do_not_fit(context: Context) -> None:
    settings = context.settings.model_copy(update={"embeddings_dimensions": 16})
    assert open_stored(context.database, open_embedder(settings)) is None
    assert open_stored(context.database, NoEmbedder()) is None


def test_texts_of_nearly_the_same_meaning_are_duplicates(context: Context) -> None:
    texts = [Text(one, "en") for one in (*TEXTS, "The library, it lends tools.")]
    assert near_duplicates(texts, opened(context)) == [(0, 3)]


def test_a_language_is_taken_out_of_a_vector() -> None:
    vectors = np.array([[1.0, 0.2], [1.0, -0.2], [-1.0, 0.2]], dtype=np.float32)
    spoken = ["en", "en", "es"]
    languages = Languages(
        {"en": np.zeros(2, np.float32)},
        {"en": np.array([1.0, 0.0], np.float32), "es": np.array([-1.0, 0.0], np.float32)},
    )
    told = languages.without(vectors, spoken)
    assert np.allclose(told, [[0, 1], [0, -1], [0, 1]])
    mixed = languages.among({"en": (60, np.array([0.0, 0.0], np.float32))})
    assert np.allclose(mixed.texts["en"], [0.5, 0.0]) and np.allclose(mixed.texts["es"], [-1.0, 0.0])
    assert means_of(vectors, spoken)["es"][0] == 1


def test_a_vector_goes_to_the_database_and_back_unchanged(context: Context) -> None:
    given = np.array([0.1, -1e-7, 1 / 3, 12345.678], dtype=np.float32)
    with context.database.session() as session:
        sent = session.scalars(
            text("select vector_send(cast(:given as vector))"), {"given": vector_literal(given)}
        ).one()
    assert np.array_equal(vector_of(sent), given)
