"""Vectors of the library: computed behind other work, each once, and gone with the last text that needs them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import delete, select, text, update

from core.config import Settings
from core.errors import EmbeddingUnavailableError
from core.models import LibraryDocument, LibraryPassage
from core.queue import QUEUE_NAME, RUNNER, enqueue_job, open_queue
from research.text.stored_meaning import texts_to_embed
from services.context import Context
from services.library.documents import remove_document, retry_document
from services.library.passages import embed_document, renew_embeddings
from services.queue.jobs import StoppedError
from services.recovery.research_kinds import MEANINGS
from services.recovery.work import fail_work
from tests.support.research.library import add_and_read
from tests.support.research.meaning import context_with_embedder, vectors_of_texts
from tests.support.servers.embeddings_server import EmbeddingsServer
from tests.support.servers.loopback import json_response

BOATS = "# Boats\n\nFathers and children build a boat. It takes twelve Saturdays.\n"
LONG = "# Long\n\n" + "\n\n".join(f"Paragraph {number} says something else. " * 25 for number in range(12))


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer() as running:
        yield running


@pytest.fixture
def context(settings: Settings, server: EmbeddingsServer) -> Iterator[Context]:
    with context_with_embedder(settings, server) as opened:
        yield opened


def row_of(context: Context, key: uuid.UUID) -> LibraryDocument:
    return context.database.get_one(LibraryDocument, key)


def parts(context: Context, key: uuid.UUID) -> set[str]:
    with context.database.session() as session:
        rows = session.scalars(select(LibraryPassage).where(LibraryPassage.document_id == key)).all()
        title = session.get_one(LibraryDocument, key).title
    return {part for row in rows for part in texts_to_embed(title, row.heading, row.text, row.language)}


def test_a_document_that_was_read_waits_for_its_vectors_and_gets_them(
    context: Context, server: EmbeddingsServer
) -> None:
    key = add_and_read(context, BOATS, "boats.md")
    assert row_of(context, key).embedding == "queued"
    assert embed_document(context, key)
    row = row_of(context, key)
    assert (row.embedding, row.passages_embedded, row.passages_total) == ("ready", 1, 1)
    assert row.embedder is not None and row.embedder.startswith("small:")
    assert parts(context, key) <= set(server.texts) and vectors_of_texts(context) == len(parts(context, key)) == 4
    assert not embed_document(context, key)


def test_nothing_is_embedded_twice(context: Context, server: EmbeddingsServer) -> None:
    embed_document(context, add_and_read(context, BOATS, "boats.md"))
    asked = len(server.texts)
    embed_document(context, add_and_read(context, BOATS + "\nA new sentence.\n", "again.md"))
    again = server.texts[asked:]
    assert len(again) == 2 and "A new sentence." in again


def test_the_vectors_go_with_the_last_document_that_has_the_text(context: Context) -> None:
    first = add_and_read(context, BOATS, "boats.md")
    second = add_and_read(context, BOATS + "\nA new sentence.\n", "again.md")
    for key in (first, second):
        embed_document(context, key)
    remove_document(context, second)
    assert vectors_of_texts(context) == len(parts(context, first))
    context.database.execute(delete(LibraryDocument).where(LibraryDocument.id == first))
    left = context.database.one(text("select count(*) from embeddings.passage_texts"))
    assert vectors_of_texts(context) == left == 0


def test_it_stops_when_the_document_is_removed(context: Context, server: EmbeddingsServer) -> None:
    key = add_and_read(context, LONG, "long.md")
    texts = server.right

    def removing(request: object) -> object:
        remove_document(context, key)
        return texts(request)  # type: ignore[arg-type]

    embed_document_until_texts(context, key, server, removing)
    assert vectors_of_texts(context) == 0 and row_of(context, key).status == "removed"


def embed_document_until_texts(context: Context, key: uuid.UUID, server: EmbeddingsServer, answer: object) -> None:
    """Embed; the first request for the document's own texts is answered by `answer`."""
    other = add_and_read(context, BOATS, "boats.md")
    embed_document(context, other)
    remove_document(context, other)
    server.answers = [answer]  # type: ignore[list-item]
    assert not embed_document(context, key)


def test_it_makes_way_for_other_work_and_goes_on_where_it_stopped(
    context: Context, server: EmbeddingsServer
) -> None:
    key = add_and_read(context, LONG, "long.md")
    enqueue_job(context.redis, RUNNER, "x", "mail-x", 10, False, QUEUE_NAME)
    assert embed_document(context, key)
    row = row_of(context, key)
    assert row.embedding == "queued" and 0 < row.passages_embedded < row.passages_total
    asked = len(server.texts)
    open_queue(context.redis).empty()
    assert embed_document(context, key)
    assert row_of(context, key).embedding == "ready"
    assert not set(server.texts[asked:]) & set(server.texts[:asked])


def test_an_endpoint_that_is_away_leaves_the_document_to_its_words(
    context: Context, server: EmbeddingsServer
) -> None:
    key = add_and_read(context, BOATS, "boats.md")
    server.answers = [lambda request: json_response({}, 503)] * 9
    with pytest.raises(EmbeddingUnavailableError):
        embed_document(context, key)
    fail_work(context, MEANINGS, key, EmbeddingUnavailableError("away"))
    row = row_of(context, key)
    assert (row.status, row.embedding, row.error_code) == ("ready", "failed", "embedding_unavailable")
    server.answers = []
    retry_document(context, key)
    assert embed_document(context, key)
    assert row_of(context, key).embedding == "ready" and row_of(context, key).error_code is None


def test_work_that_an_admin_takes_off_the_queue_can_be_tried_again(context: Context) -> None:
    key = add_and_read(context, BOATS, "boats.md")
    fail_work(context, MEANINGS, key, StoppedError())
    assert not embed_document(context, key)
    assert row_of(context, key).embedding == "failed"


def test_another_embedder_embeds_anew_and_its_vectors_take_the_place_of_the_old(
    settings: Settings, context: Context, server: EmbeddingsServer
) -> None:
    key = add_and_read(context, BOATS, "boats.md")
    embed_document(context, key)
    assert renew_embeddings(context) == 0
    with context_with_embedder(settings, server, "large") as other:
        assert renew_embeddings(other) == 1 and embed_document(other, key)
        assert str(row_of(other, key).embedder).startswith("large:")
        assert vectors_of_texts(other) == 4
        other.database.execute(text("delete from embeddings.passage_texts"))
        assert renew_embeddings(other) == 1


def test_without_an_embedder_nothing_waits(settings: Settings, context: Context, server: EmbeddingsServer) -> None:
    off = context_without(settings, context)
    key = add_and_read(off, BOATS, "boats.md")
    assert row_of(context, key).embedding == "none"
    assert renew_embeddings(off) == 0 and renew_embeddings(context) == 1


def context_without(settings: Settings, context: Context) -> Context:
    """The same context without an embedder."""
    return Context(
        settings, context.app, context.database, context.redis, context.store, context.auth, context._parts
    )


def test_what_another_worker_has_taken_is_left_to_it(context: Context) -> None:
    key = add_and_read(context, BOATS, "boats.md")
    context.database.execute(
        update(LibraryDocument)
        .where(LibraryDocument.id == key)
        .values({MEANINGS.leases.owner: "other", MEANINGS.leases.until: text("now() + interval '1 hour'")})
    )
    assert not embed_document(context, key)
    assert row_of(context, key).embedding == "queued"
