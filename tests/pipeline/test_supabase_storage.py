"""One contract for both file stores; then what can go wrong with the one behind a network."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import file_store
from core.config import Settings
from core.errors import AppError, InvalidInputError, NotFoundError, StorageError, StorageRefusedError
from core.file_store import FileStore, LocalFileStore, SupabaseFileStore, open_file_store
from tests.support.servers.loopback import DROPPED, SILENCE, Response
from tests.support.servers.supabase_storage_server import (
    BAD_KEY,
    BROKEN,
    GATEWAY_PAGE,
    NO_BUCKET,
    TOO_LARGE,
    SupabaseStorageServer,
)

#: What servers that are not Supabase's answer.
WELCOME_PAGE = Response(200, b"<html>Welcome</html>", {"Content-Type": "text/html"})
STRANGERS_404 = Response(404, b"<html>Not here</html>", {"Content-Type": "text/html"})

#: Every byte, and what could end a multipart part.
BYTES = bytes(range(256)) * 4 + b"\r\n--boundary--\r\n%PDF-1.7\n\n"


@pytest.fixture
def server() -> Iterator[SupabaseStorageServer]:
    with SupabaseStorageServer() as running:
        yield running
        assert running.faults == []


def supabase_store(server: SupabaseStorageServer, seconds: float = 5.0) -> SupabaseFileStore:
    return SupabaseFileStore(server.url, server.key, server.bucket, seconds)


@pytest.fixture(params=["local", "supabase"])
def store(request: pytest.FixtureRequest, tmp_path: Path, server: SupabaseStorageServer) -> FileStore:
    return LocalFileStore(tmp_path / "files") if request.param == "local" else supabase_store(server)


def test_bytes_come_back_as_they_were(store: FileStore) -> None:
    store.put("uploads/1/original.pdf", BYTES, "application/pdf")
    assert store.get("uploads/1/original.pdf") == BYTES
    assert store.size("uploads/1/original.pdf") == len(BYTES)
    assert store.exists("uploads/1/original.pdf")


def test_empty_file(store: FileStore) -> None:
    store.put("empty", b"")
    assert (store.get("empty"), store.size("empty")) == (b"", 0)


def test_put_replaces(store: FileStore) -> None:
    store.put("a/x", b"first and longer")
    store.put("a/x", b"second")
    assert store.get("a/x") == b"second"


def test_a_file_of_this_machine(store: FileStore, tmp_path: Path) -> None:
    (tmp_path / "made").write_bytes(BYTES)
    store.put("exports/1", b"of old")
    store.put_file("exports/1", tmp_path / "made", "application/zip")
    assert store.get("exports/1") == BYTES
    here = store.local_path("exports/1")
    assert here is None or here.read_bytes() == BYTES


@pytest.mark.parametrize("method", ["get", "size"])
def test_missing_file(store: FileStore, method: str) -> None:
    with pytest.raises(NotFoundError):
        getattr(store, method)("a/missing")
    assert not store.exists("a/missing")


def test_delete_is_idempotent(store: FileStore) -> None:
    store.put("a/x", b"x")
    store.delete("a/x")
    store.delete("a/x")
    assert not store.exists("a/x")


def test_delete_prefix_takes_the_folder_and_no_namesake(store: FileStore) -> None:
    for key in ("s/1/x", "s/1/deep/er/y", "s/12/x", "s/1x"):
        store.put(key, b"x")
    store.delete_prefix("s/1/")
    store.delete_prefix("s/nobody")
    assert [store.exists(key) for key in ("s/1/x", "s/1/deep/er/y", "s/12/x", "s/1x")] == [
        False,
        False,
        True,
        True,
    ]


BAD_KEYS = [
    "",
    "/etc/passwd",
    "../x",
    "a/../b",
    "a/./b",
    "a//b",
    "a/",
    "a b",
    "ñ",
    "a\\b",
    ".hidden",
    "a\n",
    "x" * 513,
]


@pytest.mark.parametrize("key", BAD_KEYS)
def test_what_is_no_key_is_refused(store: FileStore, key: str) -> None:
    for attempt in (lambda: store.put(key, b"x"), lambda: store.get(key), lambda: store.delete(key)):
        with pytest.raises(InvalidInputError):
            attempt()


@pytest.mark.parametrize("prefix", ["", "/", "..", "a/../.."])
def test_prefix_that_names_no_folder_is_refused(store: FileStore, prefix: str) -> None:
    with pytest.raises(InvalidInputError):
        store.delete_prefix(prefix)


def test_large_folders_are_deleted_over_many_pages(server: SupabaseStorageServer, monkeypatch) -> None:
    monkeypatch.setattr(file_store, "PAGE", 3)
    server.objects = {f"s/1/{number}": (b"", "") for number in range(7)} | {"s/2/0": (b"", "")}
    supabase_store(server).delete_prefix("s/1")
    assert list(server.objects) == ["s/2/0"]


def test_content_type_travels(server: SupabaseStorageServer) -> None:
    supabase_store(server).put("a.png", b"x", "image/png")
    assert server.objects["a.png"] == (b"x", "image/png")


@pytest.mark.parametrize("failure", [BROKEN, DROPPED, GATEWAY_PAGE, WELCOME_PAGE, SILENCE])
def test_passing_failures_may_be_tried_again(server: SupabaseStorageServer, failure: Response) -> None:
    server.failures = [failure]
    store = supabase_store(server, 0.3)
    with pytest.raises(StorageError) as caught:
        store.put("a", b"x")
    assert caught.value.retryable
    store.put("a", b"x")
    assert server.objects["a"][0] == b"x"


def test_an_upload_that_is_there_although_no_answer_came(server: SupabaseStorageServer, tmp_path: Path) -> None:
    (tmp_path / "made").write_bytes(BYTES)
    store = supabase_store(server)
    for put in (lambda: store.put("a/x", BYTES), lambda: store.put_file("a/y", tmp_path / "made")):
        server.unanswered, server.told_it_exists = 1, 1
        with pytest.raises(StorageError) as caught:
            put()
        assert caught.value.retryable
        put()
        assert server.told_it_exists == 0
    assert store.get("a/x") == store.get("a/y") == BYTES


@pytest.mark.parametrize("other", [b"other", BYTES[::-1]])
def test_another_file_that_is_not_replaced_is_an_error_that_passes(
    server: SupabaseStorageServer, other: bytes
) -> None:
    store = supabase_store(server)
    store.put("a/x", other)
    server.told_it_exists = 1
    with pytest.raises(StorageError) as caught:
        store.put("a/x", BYTES)
    assert caught.value.retryable and store.get("a/x") == other
    store.put("a/x", BYTES)
    assert store.get("a/x") == BYTES


@pytest.mark.parametrize("failure", [BAD_KEY, TOO_LARGE, NO_BUCKET, STRANGERS_404])
def test_refusals_are_final(server: SupabaseStorageServer, failure: Response) -> None:
    server.failures = [failure] * 3
    store = supabase_store(server)
    for attempt in (lambda: store.put("a", b"x"), lambda: store.get("a"), lambda: store.exists("a")):
        with pytest.raises(StorageRefusedError) as caught:
            attempt()
        assert not caught.value.retryable


def test_wrong_key_wrong_bucket_and_too_much(server: SupabaseStorageServer) -> None:
    server.max_bytes = 10
    wrong: list[tuple[FileStore, bytes]] = [
        (SupabaseFileStore(server.url, "another-key", server.bucket), b"x"),
        (SupabaseFileStore(server.url, server.key, "no-such-bucket"), b"x"),
        (supabase_store(server), b"x" * 11),
    ]
    for store, data in wrong:
        with pytest.raises(StorageRefusedError):
            store.put("a", data)
    assert server.objects == {}


def test_key_is_in_no_error(server: SupabaseStorageServer) -> None:
    server.failures = [BROKEN]
    with pytest.raises(AppError) as caught:
        supabase_store(server).get("a")
    assert server.key not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_each_process_connects_for_itself(server: SupabaseStorageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    store = supabase_store(server)
    store.put("a", b"x")
    parents = store._open()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert store._open() is not parents


def test_settings_choose(tmp_path: Path, server: SupabaseStorageServer) -> None:
    local = open_file_store(Settings(_env_file=None, var_dir=tmp_path))
    local.put("a", b"x")
    assert (tmp_path / "files" / "a").read_bytes() == b"x"
    remote = open_file_store(
        Settings(_env_file=None, var_dir=tmp_path, supabase_url=server.url, supabase_service_role_key=server.key)
    )
    remote.put("b", b"y")
    assert server.objects["b"][0] == b"y"


def test_keys_by_age(store: FileStore) -> None:
    store.put("a/b/x", b"x")
    store.put("a/y", b"y")
    store.put("other/z", b"z")
    assert sorted(store.older_keys("a", -60)) == ["a/b/x", "a/y"]
    assert list(store.older_keys("a", 60)) == list(store.older_keys("none", -60)) == []
    assert store.remove_unfinished(-60) == 0


def test_a_file_without_a_time_is_not_old(server: SupabaseStorageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    store = supabase_store(server)
    store.put("a/x", b"x")
    monkeypatch.setattr(server, "_changed_at", lambda _name: None)
    assert list(store.older_keys("a", -60)) == []


@pytest.mark.parametrize("page", [GATEWAY_PAGE, WELCOME_PAGE])
def test_a_page_is_no_file(server: SupabaseStorageServer, page: Response) -> None:
    store = supabase_store(server)
    store.put("a", b"x")
    server.failures = [page]
    with pytest.raises(StorageError) as caught:
        store.get("a")
    assert caught.value.retryable
    assert store.get("a") == b"x"
