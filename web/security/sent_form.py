"""Read the form of a request within limits: fields are counted before they are stored, files go to disk."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any, cast
from urllib.parse import unquote_to_bytes

from flask import Request, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from core.errors import FileTooLargeError
from services.uploads.submit import IncomingFile
from web.access import app_settings

_CHUNK = 16 * 1024
#: Limit of the head of one part of a form, and of the bytes before the first part and after the last. Werkzeug
#: takes 1.5 microseconds per byte to read a head.
_HEAD_BYTES = 2 * _CHUNK


class FormRequest(Request):
    """A request whose files lie in one temporary file, which is closed with the request.

    One descriptor serves any number of files; Werkzeug keeps each file up to 500 kB in memory.
    """

    _spool: io.FileIO | None = None

    def _get_file_stream(self, *_: object, **__: object) -> IO[bytes]:
        if self._spool is None:
            # Unbuffered: files are read by descriptor while others are still being written.
            self._spool = TemporaryFile(buffering=0)  # noqa: SIM115
        return self._spool

    def close(self) -> None:
        """Close the files. See `Request.close`."""
        super().close()
        if self._spool is not None:
            self._spool.close()


def sent_files(field: str) -> list[IncomingFile]:
    """Return the files of a field of the request, without inputs that were left empty."""
    return incoming(file for file in request.files.getlist(field) if file.filename)


def incoming(files: Iterable[FileStorage]) -> list[IncomingFile]:
    """Return the request's files for storing; they are read from disk only then."""
    return [IncomingFile(file.filename or "", cast(io.BufferedReader, file.stream)) for file in files]


def sent_file(field: str) -> tuple[str, bytes]:
    """Return name and bytes of the file of a field, ("", b"") without one.

    Raises FileTooLargeError, before any of it is in memory, for more than `max_upload_bytes`.
    """
    file = request.files.get(field)
    if file is None or not file.filename:
        return "", b""
    size = file.seek(0, os.SEEK_END)
    if size > app_settings().max_upload_bytes:
        raise FileTooLargeError(f"{size} bytes")
    file.seek(0)
    return file.filename, file.read()


class _FormParser(FormDataParser):
    """Keeps at most `max_form_parts` parts, and `max_form_memory_size` bytes of all fields and heads together.

    Werkzeug limits the bytes of each field separately, and does not limit urlencoded fields at all.
    """

    def parse(
        self, stream: IO[bytes], mimetype: str, content_length: int | None, options: dict[str, str] | None = None
    ) -> tuple[IO[bytes], Any, Any]:
        """See `FormDataParser.parse`. A malformed form is empty. Raises RequestEntityTooLarge."""
        try:
            if mimetype == "application/x-www-form-urlencoded":
                return stream, self.cls(self._urlencoded(stream)), self.cls()
            if mimetype == "multipart/form-data":
                parts = _Parts(self)
                parts.read(stream, (options or {}).get("boundary", "").encode("ascii"))
                return stream, self.cls(parts.fields), self.cls(parts.files)
        except ValueError:
            pass
        return stream, self.cls(), self.cls()

    def _urlencoded(self, stream: IO[bytes]) -> list[tuple[str, str]]:
        body = bytearray()
        for data in _chunks(stream):
            body += data
            self.require_room(len(body))
        if self.max_form_parts is not None and body.count(b"&") >= self.max_form_parts:
            raise RequestEntityTooLarge
        fields = body.split(b"&")
        # Not needed while the fields are decoded; it may be as long as all of them.
        body.clear()
        pairs = (field.partition(b"=") for field in fields if field)
        return [(_unquoted(name), _unquoted(value)) for name, _, value in pairs]

    def require_room(self, length: int) -> None:
        """Raise RequestEntityTooLarge if a form may not have so many bytes in memory."""
        if self.max_form_memory_size is not None and length > self.max_form_memory_size:
            raise RequestEntityTooLarge


FormRequest.form_data_parser_class = _FormParser


class _Parts:
    """The parts of a multipart form as they arrive."""

    def __init__(self, parser: _FormParser) -> None:
        self.fields: list[tuple[str, str]] = []
        self.files: list[tuple[str, FileStorage]] = []
        self._parser = parser
        #: Bytes of the fields and heads so far.
        self._kept = 0
        self._part: Field | File | None = None
        self._value = bytearray()
        self._begin = 0

    def read(self, stream: IO[bytes], boundary: bytes) -> None:
        """Raises ValueError for a malformed form, RequestEntityTooLarge for one that is too large."""
        if not boundary:
            raise ValueError("no boundary")
        # The decoder holds at most a chunk of a value.
        decoder = MultipartDecoder(boundary, _HEAD_BYTES, max_parts=self._parser.max_form_parts)
        for data in chain(_chunks(stream), (None,)):
            decoder.receive_data(data)
            event = decoder.next_event()
            while not isinstance(event, (Epilogue, NeedData)):
                self._take(event)
                event = decoder.next_event()

    def _take(self, event: Event) -> None:
        if isinstance(event, (Field, File)):
            self._part = event
            self._keep(sum(len(name) + len(value) for name, value in event.headers))
            self._value.clear()
            if isinstance(event, File):
                self._begin = self._spool().seek(0, os.SEEK_END)
        elif isinstance(event, Data):
            self._add(event.data)
            if not event.more_data:
                self._end()

    def _add(self, data: bytes) -> None:
        if isinstance(self._part, File):
            self._spool().write(data)
        else:
            self._keep(len(data))
            self._value += data

    def _end(self) -> None:
        part, name = self._part, (self._part.name if self._part else None) or ""
        if isinstance(part, File):
            spool = self._spool()
            held = io.BufferedReader(_Slice(spool.fileno(), self._begin, spool.tell() - self._begin))
            kind = part.headers.get("content-type")
            self.files.append((name, FileStorage(held, part.filename, name, kind)))
        else:
            self.fields.append((name, self._value.decode("utf-8", "replace")))

    def _spool(self) -> IO[bytes]:
        return self._parser.stream_factory(None, None, None, None)

    def _keep(self, length: int) -> None:
        self._kept += length
        self._parser.require_room(self._kept)


class _Slice(io.RawIOBase):
    """A part of an open file, to be read."""

    def __init__(self, descriptor: int, begin: int, size: int) -> None:
        self._descriptor, self._begin, self._size = descriptor, begin, size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # Straight into the buffer: a long read through bytes of its own takes its length in memory twice.
        room = memoryview(buffer)[: self._size - self._at]
        length = os.preadv(self._descriptor, [room], self._begin + self._at) if room else 0
        self._at += length
        return length

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = min(max(start + offset, 0), self._size)
        return self._at


def _unquoted(text: bytearray) -> str:
    """Decode an urlencoded name or value in chunks, because unquoting makes an object of each escape."""
    found, start = bytearray(), 0
    while start < len(text):
        end = start + _CHUNK
        # Do not cut an escape of three characters.
        if end < len(text) and (cut := text.rfind(b"%", end - 2, end)) >= 0:
            end = cut
        found += unquote_to_bytes(bytes(text[start:end]).replace(b"+", b" "))
        start = end
    return found.decode("utf-8", "werkzeug.url_quote")


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while data := stream.read(_CHUNK):
        yield data
