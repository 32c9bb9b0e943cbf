"""Message codes of files and folders that a watcher does not take."""

from __future__ import annotations

from core.messages import MessageCode


class WatchRefused(MessageCode):
    """Why a file was put aside, or a folder is not watched."""

    NOT_A_FILE = (
        "watched_not_a_file",
        "This is a link or a device, not a file. Copy the file itself here.",
    )
    UNREADABLE = "watched_unreadable", "This file could not be opened (%(technical)s). Check its permissions."
    TOO_LARGE = "watched_too_large", "This file is larger than %(limit)s bytes, the limit for one file."
    EMPTY = "watched_empty", "This file has been empty for %(limit)s minutes. Scan it again."
    NOT_A_DOCUMENT = "watched_not_a_document", "This is not a PDF, image, or Word file."
    NO_FOLDER = "watched_no_folder", "The folder does not exist or cannot be written to: %(technical)s"
    NOT_AS_ROOT = (
        "watched_not_as_root",
        "Other accounts can write to %(folder)s or to a folder above it, and root does not watch such a folder. "
        "Start `flask watch` as the account that the folder belongs to.",
    )
    WATCHED_ALREADY = "watched_already", "Another `flask watch` is already watching this folder."
    NO_UPLOADER = "watched_no_uploader", "No active account with this address is allowed to upload files."
    JOURNAL_STAYS = (
        "watched_journal_stays",
        "%(journal)s in the folder cannot be read, and cannot be renamed to %(aside)s (%(technical)s). "
        "Remove both, then start again.",
    )
