"""What a backup holds: `manifest.json` in its folder, by which it is checked before and after it is restored."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from services.backup.codes import BackupRefused, refusal

#: Version of the layout of a backup's folder.
FORMAT = 2
#: From this version on a sealed backup's manifest has a code (`manifest.mac`) that only its passphrase makes.
AUTHENTICATED = 2
MANIFEST, CODE, DATABASE, FILES, IDENTITY = (
    "manifest.json",
    "manifest.mac",
    "database.dump",
    "files",
    "identity.age",
)
SECRET_KEY = "secret_key"
#: What lies in the folder itself.
TOP = (MANIFEST, CODE, DATABASE, FILES, IDENTITY, SECRET_KEY)

#: Bytes that a manifest has at most: a million files have 200 MB. And one that nothing proves, of which whoever
#: can write to the disk would choose how much memory it takes: 300,000 files.
MOST_PROVEN, MOST_UNPROVEN = 512 * 1024 * 1024, 64 * 1024 * 1024


class Stored(BaseModel):
    """One file of a backup, as it was before it was sealed."""

    model_config = ConfigDict(frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds. It names tables, keys of files and numbers, and nothing of an entry."""

    model_config = ConfigDict(frozen=True)

    format: int
    #: ISO 8601, UTC.
    made_at: str
    #: As PostgreSQL says it, "18.0".
    server_version: str
    #: Keys of the migrations that were applied, "001_create_people"; before 1.0 their numbers alone.
    migrations: list[str]
    #: Rows by table, "public.submissions".
    tables: dict[str, int]
    database: Stored
    #: By key of the file store.
    files: dict[str, Stored]
    #: Keys that rows name and that the store did not have.
    missing: list[str]
    sealed: bool
    #: The key of `core.secret_key`, where it is kept in a file and the backup is sealed.
    secret_key: Stored | None


def require_readable(written: bytes, most: int) -> None:
    """Raise InvalidInputError for a manifest that is longer than is read."""
    if len(written) > most:
        raise refusal(BackupRefused.MANIFEST_LONG, megabytes=most // 1024**2)
