"""Encrypt the files of a backup in the age format (age-encryption.org/v1), which the program `age` reads too.

A passphrase alone would be stretched anew for each file, a second each. So a key is made for the backup, and the
passphrase encrypts that key (`identity.age`). Who does not have the passphrase can make no such key, and so
neither a file that it opens nor the code that authenticates the manifest.
"""

from __future__ import annotations

import hashlib
import hmac
import shutil
from typing import Protocol

import pyrage
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_fixed

from core.errors import StorageError
from services.backup.codes import BackupRefused, refusal
from services.backup.manifest import MANIFEST, Stored

#: Stands above the key of a backup whose manifest is authenticated, sealed with it: nobody can take it away.
_AUTHENTICATES = "# Second Reader, format 2: manifest.mac authenticates the manifest"


class Source(Protocol):
    """What bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes, none at the end."""
        ...


class Target(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Take the bytes; return how many there were."""
        ...


class Measured:
    """Passes on what is read or written, with its length and digest; without a stream it drops what is written."""

    def __init__(self, source: Source | None = None, target: Target | None = None) -> None:
        self._source, self._target = source, target
        self._size, self._digest = 0, hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """See `Source`."""
        assert self._source is not None
        data = self._source.read(size)
        self._note(data)
        return data

    def write(self, data: bytes, /) -> int:
        """See `Target`."""
        if self._target is not None:
            self._target.write(data)
        self._note(data)
        return len(data)

    @property
    def stored(self) -> Stored:
        """Size and digest of all that has passed."""
        return Stored(size=self._size, sha256=self._digest.hexdigest())

    def _note(self, data: bytes) -> None:
        self._size += len(data)
        self._digest.update(data)


class Seal(Protocol):
    """How a file is written and read: as a stream, of which no more than a piece is in memory."""

    #: Whether the manifest has a code that only this seal makes.
    authenticates: bool

    def close(self, source: Source, target: Target) -> None:
        """Write what the source gives as it is kept. Raises StorageError, OSError."""
        ...

    def open(self, source: Source, target: Target) -> None:
        """Write what was kept as it was.

        Raises InvalidInputError where it was changed; then the target has a part of it. Raises OSError.
        """
        ...


class Plain:
    """No encryption."""

    authenticates = False

    def close(self, source: Source, target: Target) -> None:
        """See `Seal`."""
        shutil.copyfileobj(source, target)

    def open(self, source: Source, target: Target) -> None:
        """See `Seal`."""
        shutil.copyfileobj(source, target)


class Age:
    """Encryption to the key of one backup."""

    def __init__(self, identity: pyrage.x25519.Identity, authenticates: bool = True) -> None:
        self._identity = identity
        self.authenticates = authenticates

    def close(self, source: Source, target: Target) -> None:
        """See `Seal`."""
        try:
            pyrage.encrypt_io(source, target, [self._identity.to_public()])
        except pyrage.EncryptError as exc:
            # It quotes the error of the stream: a full disk, a file that cannot be read.
            raise StorageError(f"cannot be encrypted: {exc}") from exc

    def open(self, source: Source, target: Target) -> None:
        """See `Seal`."""
        try:
            pyrage.decrypt_io(source, target, [self._identity])
        except pyrage.DecryptError as exc:
            raise refusal(BackupRefused.CHANGED, name="?") from exc
        except OSError as exc:
            if exc.errno is not None:
                raise
            # What was cut off or changed: the library's own errors have no number.
            raise refusal(BackupRefused.CHANGED, name="?") from exc

    def code(self, manifest: bytes) -> str:
        """Return the code of a manifest, which nobody else can make."""
        return hmac.digest(str(self._identity).encode(), MANIFEST.encode() + b"\0" + manifest, "sha256").hex()


def new_seal(passphrase: str) -> tuple[Age, bytes]:
    """Return the seal of a new backup, and its key as it is kept: encrypted with the passphrase."""
    identity = pyrage.x25519.Identity.generate()
    return Age(identity), pyrage.passphrase.encrypt(f"{_AUTHENTICATES}\n{identity}\n".encode(), passphrase)


def seal_of(kept: bytes, passphrase: str) -> Age:
    """Return the seal whose key was kept so.

    Raises InvalidInputError for another passphrase, and where this machine is far slower than that of the backup.
    """
    try:
        lines = _where_idle(pyrage.passphrase.decrypt, kept, passphrase).decode().splitlines()
    except pyrage.DecryptError as exc:
        why = BackupRefused.MACHINE_SLOW if _took_for_too_much(exc) else BackupRefused.PASSPHRASE_WRONG
        raise refusal(why) from exc
    return Age(pyrage.x25519.Identity.from_str(lines[-1]), authenticates=_AUTHENTICATES in lines)


def _took_for_too_much(error: BaseException) -> bool:
    """Whether the library would not try: it measures the machine's speed first, which a busy one has little of."""
    return isinstance(error, pyrage.DecryptError) and str(error).startswith("Excessive work")


_where_idle = Retrying(
    retry=retry_if_exception(_took_for_too_much), stop=stop_after_attempt(8), wait=wait_fixed(0.5), reraise=True
)
