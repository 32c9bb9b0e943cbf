"""Message codes of backups that cannot be made or restored."""

from __future__ import annotations

from core.messages import MessageCode


class BackupRefused(MessageCode):
    """Why a backup was not made or not restored."""

    FOLDER_TAKEN = "backup_folder_taken", "%(folder)s exists and is not empty. Name a new folder."
    NO_BACKUP = "backup_none", "%(folder)s holds no complete backup: there is no manifest.json in it."
    FORMAT_UNKNOWN = (
        "backup_format",
        "This backup was made by a newer version. Install that, then restore.",
    )
    PASSPHRASE_NEEDED = "backup_passphrase_needed", "This backup is encrypted. Give its passphrase."
    PASSPHRASE_WRONG = "backup_passphrase_wrong", "This is not the passphrase of the backup."
    CHANGED = "backup_changed", "The file %(name)s of the backup is not what was written. Nothing was restored."
    NOT_EMPTY = (
        "backup_not_empty",
        "The database has tables already. Restore into an empty one: another VAR_DIR, or a new database.",
    )
    PROGRAM_FAILED = "backup_program_failed", "%(program)s failed: %(said)s"
    COUNTS_DIFFER = "backup_counts", "After the restore these tables have other numbers of rows: %(tables)s"
