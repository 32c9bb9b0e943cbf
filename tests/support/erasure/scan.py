"""Search everything that the product stores, in every form that it stores it in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path

from redis import Redis
from sqlalchemy import text
from sqlalchemy.orm import Session

from core.confined.mupdf import pymupdf
from services.context import Context


def where_found(context: Context, values: Collection[str]) -> list[str]:
    """Return the places in which one of the values stands: "column: value", "key: value" or "file: value"."""
    wanted = [value.casefold() for value in values]
    return [
        f"{place}: {value}"
        for place, stored in everything(context)
        for value in wanted
        if value in " ".join(stored.casefold().split())
    ]


def everything(context: Context) -> Iterator[tuple[str, str]]:
    """Yield (place, text) of the database, Valkey and the files."""
    with context.database.session() as session:
        yield from _columns(session)
    yield from _keys(context.redis)
    for path in sorted((context.settings.var_dir / "files").rglob("*")):
        if path.is_file():
            yield from ((f"file {path}", stored) for stored in _texts_of_file(path))


def _columns(session: Session) -> Iterator[tuple[str, str]]:
    columns = session.execute(
        text(
            "select table_schema, table_name, column_name, data_type from information_schema.columns"
            " join information_schema.tables using (table_schema, table_name)"
            " where table_schema in ('public', 'langgraph', 'embeddings') and table_type = 'BASE TABLE'"
        )
    ).all()
    for schema, table, column, kind in columns:
        shown = f"encode(\"{column}\", 'escape')" if kind == "bytea" else f'"{column}"::text'
        query = f'select {shown} from "{schema}"."{table}" where "{column}" is not null'
        for (stored,) in session.execute(text(query.replace(":", r"\:"))):
            # JSON is stored with escapes for line breaks.
            yield f"{schema}.{table}.{column}", stored.replace("\\n", " ")


def _keys(redis: Redis) -> Iterator[tuple[str, str]]:
    for key in redis.scan_iter():
        # Whatever its type, the serialised value holds short strings as they are; long ones may be compressed.
        kind = redis.type(key)
        read = {
            b"string": lambda key: redis.get(key),
            b"hash": lambda key: redis.hgetall(key),
            b"list": lambda key: redis.lrange(key, 0, -1),
            b"set": lambda key: redis.smembers(key),
            b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
            b"stream": lambda key: redis.xrange(key),
        }
        yield f"key {key!r}", f"{key!r} {read[kind](key)!r}"


def _texts_of_file(path: Path) -> Iterator[str]:
    data = path.read_bytes()
    yield str(path)
    yield data.decode("utf-8", "replace")
    yield data.decode("utf-16-be", "replace")
    if data[:5] == b"%PDF-":
        yield from texts_of_pdf(data)
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield f"{name} {archive.read(name).decode('utf-8', 'replace')}"


def texts_of_pdf(data: bytes) -> Iterator[str]:
    """Yield each object of a PDF, its streams unpacked, and what its pages show."""
    yield data.decode("latin-1")
    with pymupdf.open("pdf", data) as document:
        for xref in range(1, document.xref_length()):
            yield document.xref_object(xref)
            if document.xref_is_stream(xref):
                stream = document.xref_stream(xref) or b""
                yield stream.decode("latin-1")
                yield stream.decode("utf-16-be", "replace")
        for page in document:
            yield page.get_text()
            yield " ".join(str(widget.field_value) for widget in page.widgets())
