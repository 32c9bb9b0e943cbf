"""A filled installation, an empty one, and what a backup that is refused leaves."""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pyrage
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.database import Database
from core.embedded.handles import PostgresHandle
from core.errors import InvalidInputError
from core.file_store import LocalFileStore
from services.backup.restore import open_backup, restore_backup
from services.backup.seal import BackupRefused
from services.context import Context
from services.supervision.documents import upload_document
from tests.support.factories import (
    make_field,
    make_profile,
    make_run,
    make_submission,
    make_suggestion,
    make_upload,
)
from tests.support.services import empty_database

PASSPHRASE = "six invented words of a test"
#: What the database and a file of `filled` hold.
NAME, CONTENT = "Odalys Quenneville", b"%PDF-1.7 of a test"
#: Encrypts with a passphrase as the program does: it is stretched for a second, and again whenever it is given.
STRETCHED = pyrage.passphrase.encrypt
#: How often the passphrase of a test is stretched, as a power of two.
_FEW = 4


@pytest.fixture(autouse=True)
def stretched_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passphrases of these tests are stretched for a moment only."""
    monkeypatch.setattr(pyrage.passphrase, "encrypt", quickly_encrypted)


def quickly_encrypted(data: bytes, passphrase: str) -> bytes:
    """The same format (age-encryption.org/v1), with work for a moment; the library sets its own amount."""

    def derived(salt: bytes, use: bytes) -> bytes:
        return HKDF(SHA256(), 32, salt, use).derive(key)

    def plain(value: bytes) -> bytes:
        return b64encode(value).rstrip(b"=")

    key, salt, nonce = os.urandom(16), os.urandom(16), os.urandom(16)
    salted = b"age-encryption.org/v1/scrypt" + salt
    wrapping = hashlib.scrypt(passphrase.encode(), salt=salted, n=1 << _FEW, r=8, p=1, dklen=32)
    wrapped = ChaCha20Poly1305(wrapping).encrypt(bytes(12), key, None)
    head = b"age-encryption.org/v1\n-> scrypt %b %d\n%b\n---" % (plain(salt), _FEW, plain(wrapped))
    code = hmac.digest(derived(b"", b"header"), head, "sha256")
    # One piece, the last.
    sealed = ChaCha20Poly1305(derived(nonce, b"payload")).encrypt(bytes(11) + b"\x01", data, None)
    return b"%b %b\n%b%b" % (head, plain(code), nonce, sealed)


@pytest.fixture
def elsewhere(context: Context, postgres_server: PostgresHandle, slot: int, tmp_path: Path) -> Iterator[Context]:
    """An installation without anything: another database, another folder of files."""
    with empty_database(postgres_server.dsn, slot, "restored") as url:
        yield replace(context, database=Database(url), store=LocalFileStore(tmp_path / "elsewhere"))


@pytest.fixture
def filled(context: Context) -> Context:
    with context.database.session() as session:
        upload = make_upload(session)
        submission = make_submission(session, upload, student_name=NAME)
        make_field(session, submission, name="student_name", value=NAME)
        make_suggestion(session)
        key = upload.storage_key
        others = [row for row in session.query(type(upload)) if row.storage_key != key]
        artifact = f"artifacts/{submission.id}/{make_run(session, submission).run_no}/reading.json"
        person = make_profile(session).id
    context.store.put(key, CONTENT)
    for other in others:
        context.store.put(other.storage_key, b"another")
    context.store.put(f"cache/pages/{key}", b"made anew")
    context.store.put(artifact, b"{}")
    upload_document(context, person, "boats.md", b"# Boats\n\nFathers and children build boats.")
    return context


def quiet(_done: int, _count: int) -> None:
    pass


def refused(code: BackupRefused, context: Context, folder: Path, passphrase: str | None = None) -> None:
    with pytest.raises(InvalidInputError) as caught:
        restore_backup(context, open_backup(folder, passphrase), quiet)
    assert caught.value.message is not None
    assert caught.value.message.code == code
    with psycopg.connect(context.database.dsn) as connection:
        assert connection.execute("select to_regclass('public.uploads')").fetchone() == (None,)
