"""Message codes of backups that cannot be made or restored."""

from __future__ import annotations

from core.characters import escaped
from core.errors import InvalidInputError
from core.messages import MessageCode


class BackupRefused(MessageCode):
    """Why a backup was not made or not restored."""

    FOLDER_TAKEN = "backup_folder_taken", "%(folder)s exists and is not empty. Name a new folder."
    FOLDER_OF_OTHERS = (
        "backup_folder_of_others",
        "Other accounts can write to %(folder)s and could replace the backup while it is being written."
        " Name a folder that only you and root can write to.",
    )
    MANIFEST_LONG = (
        "backup_manifest_long",
        "manifest.json is longer than %(megabytes)s MB, the most that is read."
        " A backup with a passphrase may have a longer one.",
    )
    NO_BACKUP = "backup_none", "%(folder)s does not have a complete backup: manifest.json is missing."
    FORMAT_UNKNOWN = (
        "backup_format",
        "This backup was made by a newer version. Install that version, then restore.",
    )
    BEFORE_BASELINE = (
        "backup_before_baseline",
        "This backup was made by a version before 1.0 that was not the last one before 1.0."
        " Restore it with the last one, make a new backup there, and restore that backup here.",
    )
    PASSPHRASE_SHORT = (
        "backup_passphrase_short",
        "The passphrase is too short. Choose one of at least %(least)s characters.",
    )
    PASSPHRASE_NEEDED = "backup_passphrase_needed", "This backup is encrypted. Enter its passphrase."
    PASSPHRASE_WRONG = "backup_passphrase_wrong", "The passphrase is incorrect."
    MACHINE_SLOW = (
        "backup_machine_slow",
        "This computer is too busy, or far slower than the one that made the backup. Try again when it is idle.",
    )
    NOT_SEALED = (
        "backup_not_sealed",
        "A passphrase was given, but this backup is not encrypted. Nothing was restored.",
    )
    SEAL_DIFFERS = (
        "backup_seal_differs",
        "This backup says that it is encrypted and is not, or the other way round. Nothing was restored.",
    )
    UNEXPECTED = (
        "backup_unexpected",
        "The backup has %(name)s, which does not belong in it. Nothing was restored.",
    )
    CHANGED = (
        "backup_changed",
        "The file %(name)s in the backup has been changed or damaged. Nothing was restored.",
    )
    NOT_EMPTY = (
        "backup_not_empty",
        "The database already has tables. Restore into an empty one: another VAR_DIR or a new database.",
    )
    PROGRAM_FAILED = "backup_program_failed", "%(program)s failed: %(said)s"
    COUNTS_DIFFER = (
        "backup_counts",
        "After the restore, these tables have a different number of rows: %(tables)s",
    )


def refusal(code: BackupRefused, **params: str | int | list[str]) -> InvalidInputError:
    """Return the error to raise. Names are of whoever writes to the disk: what steers a terminal is escaped."""
    return InvalidInputError(code, **{name: _shown(value) for name, value in params.items()})


def _shown(value: str | int | list[str]) -> str | int | list[str]:
    if isinstance(value, list):
        return [escaped(item) for item in value]
    return escaped(value) if isinstance(value, str) else value
