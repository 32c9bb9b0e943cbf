"""Message codes of what is said of a batch: values, dates received and entries typed in."""

from __future__ import annotations

from core.messages import MessageCode


class BatchRefused(MessageCode):
    """Why something said of a batch was refused."""

    SCHOOL_NOT_LISTED = (
        "default_school_not_listed",
        "“%(name)s” is not on the school list. Choose a school from the list, or leave the school empty.",
    )
    LANGUAGE_UNKNOWN = "default_language_unknown", "The language must be English, Spanish, or empty."
    NOTHING_TO_APPLY = "no_default_to_apply", "No entry in this upload would change."
    NOT_A_DAY = "not_a_day", "Type the date as year, month, and day, like 2026-03-31."
    DAY_TO_COME = "received_day_to_come", "The date received cannot be in the future."
    NOTHING_TYPED = "nothing_typed_in", "Type at least one value for the entry."
    NOT_TYPED_IN = "entry_not_typed_in", "This entry was read from a file, not typed in."
    FILE_UNREADABLE = "typed_in_not_read_again", "This entry was typed in, so it has no page to read again."


class BatchConflict(MessageCode):
    """Why a change came too late."""

    DEFAULTS_CHANGED = ("defaults_changed_since", "someone has changed these values since you opened this page")
    DEFAULTS_TAKEN_BACK = "defaults_taken_back", "this has already been undone or changed again"
    FILE_TYPED_IN = "file_typed_in", "this file has not failed, or someone has already typed it in"


class BatchEvent(MessageCode):
    """Why an entry was changed."""

    GIVEN = "batch_values_given", "Values from the upload were filled in: %(fields)s."
    TAKEN_BACK = "batch_values_taken_back", "Values from the upload were removed: %(fields)s."
    RECEIVED = "received_on_given", "The date received was entered."
    TYPED_FROM_FILE = "typed_in_from_file", "The file could not be read."
    TYPED_FROM_PAPER = "typed_in_from_paper", "There is no file."
