"""Try the embedder, and whether the database stores its vectors."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError

from core.embeddings import open_embedder
from core.embeddings.schema import stored_dimensions
from core.errors import EmbeddingError
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong


def try_meaning(context: Context) -> Iterator[Finding]:
    """Yield whether texts are found by their meaning, or why by their words alone."""
    embedder = open_embedder(context.settings)
    if not embedder.dimensions:
        is_chosen = context.settings.embeddings_provider == embedder.name
        yield doubtful(DoctorCode.MEANING_NONE if is_chosen else DoctorCode.MEANING_NOT_INSTALLED)
        return
    try:
        with context.database.session() as session:
            stored = stored_dimensions(session)
    except SQLAlchemyError:
        # Said by the try of the database.
        return
    if stored is None:
        yield doubtful(DoctorCode.MEANING_NOT_STORED)
    elif stored != embedder.dimensions:
        yield wrong(DoctorCode.MEANING_OTHER_LENGTH, dimensions=embedder.dimensions, stored=stored)
    began = time.monotonic()
    try:
        embedder.texts(["An example of no subject."])
    except EmbeddingError as error:
        yield wrong(DoctorCode.MEANING_FAILS, time.monotonic() - began, provider=embedder.name, problem=error.told)
    else:
        yield fine(DoctorCode.MEANING_ANSWERS, time.monotonic() - began, provider=embedder.name)
