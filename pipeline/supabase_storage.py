"""Files in a private bucket of Supabase Storage, and the choice between it and the local folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.clock import utcnow
from core.config import Settings
from core.errors import NotFoundError, StorageError, StorageRefusedError
from core.file_store import OCTETS, FileStore, LocalFileStore, checked_key, folder_of, from_beginning

if TYPE_CHECKING:
    import httpx
    from storage3 import SyncBucket

T = TypeVar("T")

#: Seconds to connect and for each read and write; a file of 50 MB takes many writes.
CONNECT_SECONDS = 5.0
TRANSFER_SECONDS = 30.0

#: What one listing returns and one removal takes at most, by Supabase's documentation.
PAGE = 1000

#: Bytes of a file that is held against the one that Storage says is there already, at most.
_COMPARED = 64 * 1024 * 1024

#: What Storage calls a missing bucket, which it answers with 404 like a missing file.
_NO_BUCKET = frozenset({"bucket not found", "nosuchbucket"})
#: What `storage3` calls an error whose body is not Storage's: a 404 of another server says nothing of our file.
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
        """See `FileStore.put`."""
        self._upload(key, data, content_type)

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """See `FileStore.put_file`."""
        with from_beginning(source) as opened:
            self._upload(key, opened, content_type)

    def get(self, key: str) -> bytes:
        """See `FileStore.get`."""
        path = checked_key(key)
        return bytes(self._call(lambda bucket: bucket.download(path), key))

    def exists(self, key: str) -> bool:
        """See `FileStore.exists`."""
        try:
            self.size(key)
        except NotFoundError:
            return False
        return True

    def size(self, key: str) -> int:
        """See `FileStore.size`."""
        path = checked_key(key)
        info = self._call(lambda bucket: bucket.info(path), key)
        return int(info["size"])

    def delete(self, key: str) -> None:
        """See `FileStore.delete`."""
        self._remove([checked_key(key)])

    def delete_prefix(self, prefix: str) -> None:
        """See `FileStore.delete_prefix`."""
        keys = [path for path, _ in self._files_below(folder_of(prefix))]
        for start in range(0, len(keys), PAGE):
            self._remove(keys[start : start + PAGE])

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """See `FileStore.link`."""
        path = checked_key(key)
        made = self._call(lambda bucket: bucket.create_signed_url(path, seconds, {"download": filename}), key)
        return str(made["signedURL"]) if made["signedURL"] else None

    def local_path(self, key: str) -> Path | None:
        """See `FileStore.local_path`."""
        return None

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """See `FileStore.older_keys`. A file of which Storage says no time is not old."""
        latest = utcnow() - timedelta(seconds=seconds)
        for path, stored_at in self._files_below(folder_of(prefix)):
            if stored_at is not None and stored_at < latest:
                yield path

    def remove_unfinished(self, seconds: float) -> int:
        """See `FileStore.remove_unfinished`. Storage keeps no half files."""
        return 0

    def _upload(self, key: str, data: bytes | BufferedReader, content_type: str) -> None:
        """Store bytes, or what an open file holds, at the key.

        Storage may say that they are there: an upload of which no answer arrived has stored them after all.
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

        Listings know no depth: an entry without an id is a folder of its own.
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
    """Raise for a page in place of a file: no file is stored as one, so that a gateway has answered."""
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
