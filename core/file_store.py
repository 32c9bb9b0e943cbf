"""Files by key: the interface, the local store, and a private bucket of Supabase Storage."""

from __future__ import annotations

import errno
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeVar
from uuid import uuid4

from core.clock import utcnow
from core.config import Settings
from core.errors import InvalidInputError, NotFoundError, StorageError, StorageFullError, StorageRefusedError

if TYPE_CHECKING:
    import httpx
    from storage3 import SyncBucket


OCTETS = "application/octet-stream"
#: Errors of a disk that is full, or whose share for this account is.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
MAX_KEY = 512

#: Segments of letters, digits, `.`, `_`, `-`, none beginning with a dot: no `..`, no hidden or absolute path.
_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")


class FileStore(Protocol):
    """Stores originals and artifacts by key. Every method raises InvalidInputError for a malformed key.

    Raises StorageError for a failure that may pass, StorageRefusedError for one that will not.
    """

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """Store `data` whole or not at all, in place of what was there."""

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """Store a file of this machine, or all of an open one, as `put` does, without having it in memory."""

    def get(self, key: str) -> bytes:
        """Return the bytes stored under the key. Raises NotFoundError."""

    def exists(self, key: str) -> bool:
        """Whether there is a file of this key."""

    def size(self, key: str) -> int:
        """Its length in bytes. Raises NotFoundError."""

    def delete(self, key: str) -> None:
        """Remove the file, if it exists."""

    def delete_prefix(self, prefix: str) -> None:
        """Remove everything below the folder `prefix`: `a/1` takes `a/1/x`, never `a/12/x`."""

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """Return an address that gives the file to whoever has it, as a download, for some seconds.

        None where the store has no addresses. Raises NotFoundError where it looks for the file.
        """

    def local_path(self, key: str) -> Path | None:
        """Return where the file lies on this machine, to be read only; None where it lies elsewhere.

        Raises NotFoundError where it looks for the file.
        """

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """Yield the keys below the folder `prefix` whose files were stored longer ago than `seconds`."""

    def remove_unfinished(self, seconds: float) -> int:
        """Remove files that a killed process left unfinished more than `seconds` ago; return how many."""


def checked_key(key: str) -> str:
    """Return the key if it is valid. Raises InvalidInputError otherwise."""
    if len(key) > MAX_KEY or _KEY.fullmatch(key) is None:
        raise InvalidInputError("not a file key")
    return key


@contextmanager
def from_beginning(source: Path | BufferedReader) -> Iterator[BufferedReader]:
    """Open a file for reading during the block; an open file is rewound and stays open."""
    if isinstance(source, Path):
        with source.open("rb") as opened:
            yield opened
    else:
        source.seek(0)
        yield source


def folder_of(prefix: str) -> str:
    """The folder that a prefix names, without the slash that may end it. Raises InvalidInputError."""
    return checked_key(prefix.removesuffix("/"))


class LocalFileStore:
    """Files below a folder of this machine, readable by its owner alone."""

    def __init__(self, root: Path) -> None:
        self._root = root
        #: No key begins with a dot, so half-written files are never seen.
        self._incoming = root / ".incoming"

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """See `FileStore.put`. The content type is not kept: readers know it from their own records."""
        self._store(key, lambda file: file.write(data))

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        with from_beginning(source) as opened:
            self._store(key, lambda file: shutil.copyfileobj(opened, file))

    def get(self, key: str) -> bytes:
        try:
            return self._path(key).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as exc:
            raise NotFoundError(f"no file {key}") from exc
        except OSError as exc:
            raise StorageError(f"cannot read: {exc.strerror}") from exc

    def exists(self, key: str) -> bool:
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        path = self._path(key)
        if not path.is_file():
            raise NotFoundError(f"no file {key}")
        return path.stat().st_size

    def delete(self, key: str) -> None:
        path = self._path(key)
        try:
            if path.is_file():
                path.unlink(missing_ok=True)
        except OSError as exc:
            raise StorageError(f"cannot delete: {exc.strerror}") from exc

    def delete_prefix(self, prefix: str) -> None:
        folder = self._root / folder_of(prefix)
        try:
            if folder.is_dir():
                shutil.rmtree(folder)
        except OSError as exc:
            raise StorageError(f"cannot delete: {exc.strerror}") from exc

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        return None

    def local_path(self, key: str) -> Path | None:
        path = self._path(key)
        if not path.is_file():
            raise NotFoundError(f"no file {key}")
        return path

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        for path in _older(self._root / folder_of(prefix), seconds):
            yield path.relative_to(self._root).as_posix()

    def remove_unfinished(self, seconds: float) -> int:
        unfinished = list(_older(self._incoming, seconds))
        for path in unfinished:
            path.unlink(missing_ok=True)
        return len(unfinished)

    def _path(self, key: str) -> Path:
        return self._root / checked_key(key)

    def _make_folder(self, folder: Path) -> None:
        """Create the folder and its parents with a private mode; `Path.mkdir` gives the umask's to parents."""
        missing = [folder, *folder.parents]
        for path in reversed(missing[: missing.index(self._root) + 1]):
            path.mkdir(mode=0o700, parents=path == self._root, exist_ok=True)

    def _store(self, key: str, write: Callable[[BinaryIO], object]) -> None:
        path = self._path(key)
        try:
            self._make_folder(path.parent)
            self._make_folder(self._incoming)
            self._write(path, write)
        except OSError as exc:
            if exc.errno in NO_ROOM:
                raise StorageFullError(exc.strerror or "") from exc
            raise StorageError(f"cannot write: {exc.strerror}") from exc

    def _write(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        """Write to a temporary file, sync, rename: a reader sees the old bytes or the new, even after a crash."""
        temporary = self._incoming / uuid4().hex
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def _older(folder: Path, seconds: float) -> Iterator[Path]:
    """Yield the files below a folder that were written longer ago than `seconds`."""
    latest = time.time() - seconds
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above) / name
            # Files come and go meanwhile.
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < latest:
                    yield path


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Files in a private bucket of Supabase Storage, and the choice between it and the local folder.


T = TypeVar("T")

#: Seconds to connect and for each read and write; a file of 50 MB takes many writes.
CONNECT_SECONDS = 5.0
TRANSFER_SECONDS = 30.0

#: What one listing returns and one removal takes at most, by Supabase's documentation.
PAGE = 1000

#: Most bytes of a file that is compared with the one that Storage says exists already.
_COMPARED = 64 * 1024 * 1024

#: What Storage calls a missing bucket, which it answers with 404 like a missing file.
_NO_BUCKET = frozenset({"bucket not found", "nosuchbucket"})
#: What `storage3` calls an error whose body is not Storage's: a 404 of another server says nothing about our file.
_UNPARSED = "InternalError"

#: What it raises for an answer of status 200 that is not Storage's (a proxy's page, a cut body).
MALFORMED_ANSWER = (ValueError, KeyError)


def open_file_store(settings: Settings) -> FileStore:
    """Supabase Storage when SUPABASE_URL is set, else `var/files/`. Connects to nothing yet."""
    key = settings.supabase_service_role_key
    if settings.supabase_url and key:
        return SupabaseFileStore(settings.supabase_url, key.get_secret_value(), settings.supabase_bucket)
    return LocalFileStore(settings.var_dir / "files")


class _ExistsError(StorageError):
    """Storage has a file at the key and did not replace it; another attempt may."""


class SupabaseFileStore:
    """A `FileStore` over one private bucket, which must exist. Each process connects on its first use."""

    def __init__(
        self, url: str, service_role_key: str, bucket: str, transfer_seconds: float = TRANSFER_SECONDS
    ) -> None:
        self._url = url
        self._key = service_role_key
        self._name = bucket
        self._transfer_seconds = transfer_seconds
        self._bucket: tuple[int, Any] | None = None

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        self._upload(key, data, content_type)

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        with from_beginning(source) as opened:
            self._upload(key, opened, content_type)

    def get(self, key: str) -> bytes:
        path = checked_key(key)
        return bytes(self._call(lambda bucket: bucket.download(path), key))

    def exists(self, key: str) -> bool:
        try:
            self.size(key)
        except NotFoundError:
            return False
        return True

    def size(self, key: str) -> int:
        path = checked_key(key)
        return int(self._call(lambda bucket: bucket.info(path), key)["size"])

    def delete(self, key: str) -> None:
        self._remove([checked_key(key)])

    def delete_prefix(self, prefix: str) -> None:
        keys = [path for path, _ in self._files_below(folder_of(prefix))]
        for start in range(0, len(keys), PAGE):
            self._remove(keys[start : start + PAGE])

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        path = checked_key(key)
        made = self._call(lambda bucket: bucket.create_signed_url(path, seconds, {"download": filename}), key)
        return str(made["signedURL"]) if made["signedURL"] else None

    def local_path(self, key: str) -> Path | None:
        return None

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """See `FileStore.older_keys`. A file without a time is not old."""
        latest = utcnow() - timedelta(seconds=seconds)
        for path, stored_at in self._files_below(folder_of(prefix)):
            if stored_at is not None and stored_at < latest:
                yield path

    def remove_unfinished(self, seconds: float) -> int:
        """See `FileStore.remove_unfinished`. Storage keeps no half files."""
        return 0

    def _upload(self, key: str, data: bytes | BufferedReader, content_type: str) -> None:
        """Store bytes, or what an open file holds, at the key.

        Storage may say that they exist already, from an earlier upload whose answer was lost.
        """
        options = {"content-type": content_type, "upsert": "true"}
        checked = checked_key(key)
        try:
            self._call(lambda bucket: bucket.upload(checked, data, options), key)
        except _ExistsError:
            length = len(data) if isinstance(data, bytes) else data.seek(0, os.SEEK_END)
            if length > _COMPARED or self.size(key) != length:
                raise
            if not isinstance(data, bytes):
                data.seek(0)
            if self.get(key) != (data if isinstance(data, bytes) else data.read()):
                raise

    def _remove(self, keys: list[str]) -> None:
        self._call(lambda bucket: bucket.remove(keys), "")

    def _files_below(self, folder: str) -> Iterator[tuple[str, datetime | None]]:
        """Yield each file with the time of its last change.

        Listings are not recursive: an entry without an id is a subfolder.
        """
        for entry in self._entries(folder):
            path = f"{folder}/{entry['name']}"
            if entry.get("id") is None:
                yield from self._files_below(path)
            else:
                changed = entry.get("updated_at") or entry.get("created_at")
                yield path, datetime.fromisoformat(changed) if changed else None

    def _entries(self, folder: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            page = self._page(folder, offset)
            yield from page
            if len(page) < PAGE:
                return
            offset += PAGE

    def _page(self, folder: str, offset: int) -> list[dict[str, Any]]:
        options = {"limit": PAGE, "offset": offset}
        return list(self._call(lambda bucket: bucket.list(folder, options), ""))

    def _call(self, action: Callable[[Any], T], key: str) -> T:
        """Call `action` and translate Supabase's errors."""
        import httpx
        from storage3.exceptions import StorageApiError

        try:
            return action(self._open())
        except StorageApiError as exc:
            raise _translated(str(exc.status), str(exc.code), exc.message, key) from exc
        except (httpx.HTTPError, *MALFORMED_ANSWER) as exc:
            raise StorageError(f"supabase storage: {type(exc).__name__}") from exc

    def _open(self) -> SyncBucket:
        """The bucket of this process: connections do not survive a fork."""
        if self._bucket is None or self._bucket[0] != os.getpid():
            self._bucket = (os.getpid(), self._connect())
        return self._bucket[1]

    def _connect(self) -> SyncBucket:
        import httpx
        from supabase import ClientOptions, create_client

        timeout = httpx.Timeout(self._transfer_seconds, connect=CONNECT_SECONDS)
        options = ClientOptions(
            auto_refresh_token=False,
            persist_session=False,
            # Redirects are not followed: the key would go along.
            httpx_client=httpx.Client(
                timeout=timeout, follow_redirects=False, event_hooks={"response": [_refuse_page]}
            ),
        )
        return create_client(self._url, self._key, options).storage.from_(self._name)


def _refuse_page(answer: httpx.Response) -> None:
    """Raise for an HTML page in place of a file: we store none, so a gateway has answered."""
    if answer.is_success and answer.headers.get("content-type", "").startswith("text/html"):
        import httpx

        raise httpx.RemoteProtocolError("a page instead of a file")


def _translated(status: str, code: str, message: str, key: str) -> StorageError | NotFoundError:
    detail = f"supabase storage: {status}"
    if {code.lower(), message.lower()} & _NO_BUCKET:
        return StorageRefusedError(f"{detail}, the bucket of SUPABASE_BUCKET does not exist")
    if status == "404" and code != _UNPARSED:
        return NotFoundError(f"no file {key}")
    if status == "409":
        return _ExistsError(detail)
    if status in ("408", "429") or status.startswith("5"):
        return StorageError(detail)
    return StorageRefusedError(detail)
