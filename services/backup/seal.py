"""Encrypt the files of a backup in the age format (age-encryption.org/v1), which the program `age` reads too.

A passphrase alone would be stretched anew for each file, a second each. So a key is made for the backup, and the
passphrase encrypts that key (`identity.age`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pyrage

from core.errors import InvalidInputError
from services.backup.codes import BackupRefused
from services.backup.manifest import IDENTITY


class Seal(Protocol):
    """How the bytes of a file are written and read."""

    def close(self, data: bytes) -> bytes:
        """Return the bytes as they are written."""
        ...

    def open(self, data: bytes) -> bytes:
        """Return the bytes as they were. Raises InvalidInputError where they were changed."""
        ...


class Plain:
    """No encryption."""

    def close(self, data: bytes) -> bytes:
        """See `Seal`."""
        return data

    def open(self, data: bytes) -> bytes:
        """See `Seal`."""
        return data


class Age:
    """Encryption to the key of one backup."""

    def __init__(self, identity: pyrage.x25519.Identity) -> None:
        self._identity = identity

    def close(self, data: bytes) -> bytes:
        """See `Seal`."""
        return bytes(pyrage.encrypt(data, [self._identity.to_public()]))

    def open(self, data: bytes) -> bytes:
        """See `Seal`."""
        try:
            return bytes(pyrage.decrypt(data, [self._identity]))
        except pyrage.DecryptError as exc:
            raise InvalidInputError(BackupRefused.CHANGED, name="?") from exc


def new_seal(folder: Path, passphrase: str | None) -> Seal:
    """Return the seal of a backup that is made in this folder; none without a passphrase."""
    if passphrase is None:
        return Plain()
    identity = pyrage.x25519.Identity.generate()
    (folder / IDENTITY).write_bytes(pyrage.passphrase.encrypt(str(identity).encode(), passphrase))
    return Age(identity)


def seal_of(folder: Path, passphrase: str | None) -> Seal:
    """Return the seal of the backup in this folder.

    Raises InvalidInputError where it wants a passphrase and there is none, or another.
    """
    kept = folder / IDENTITY
    if not kept.exists():
        return Plain()
    if passphrase is None:
        raise InvalidInputError(BackupRefused.PASSPHRASE_NEEDED)
    try:
        identity = pyrage.passphrase.decrypt(kept.read_bytes(), passphrase)
    except pyrage.DecryptError as exc:
        raise InvalidInputError(BackupRefused.PASSPHRASE_WRONG) from exc
    return Age(pyrage.x25519.Identity.from_str(identity.decode()))
