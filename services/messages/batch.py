"""Message codes of what is said of a batch: values, dates received and entries typed in."""

from __future__ import annotations

from core.messages import MessageCode


class BatchRefused(MessageCode):
    """Why something said of a batch was refused."""

    SCHOOL_NOT_LISTED = (
        "default_school_not_listed",
        "“%(name)s” is not on the list of schools. Choose one of the list, or leave the school out.",
    )
    LANGUAGE_UNKNOWN = "default_language_unknown", "The language is English or Spanish, or not given."
    NOTHING_TO_APPLY = "no_default_to_apply", "No entry of this upload would change."
    NOT_A_DAY = "not_a_day", "Type the day as year, month and day, like 2026-03-31."
    DAY_TO_COME = "received_day_to_come", "An entry cannot be received on a day that is still to come."
    NOTHING_TYPED = "nothing_typed_in", "Type at least one value of the entry."
    NOT_TYPED_IN = "entry_not_typed_in", "This entry was read from a file; it was not typed in."
    FILE_UNREADABLE = "typed_in_not_read_again", "An entry that was typed in has no page that could be read again."


class BatchConflict(MessageCode):
    """Why a change came too late."""

    DEFAULTS_CHANGED = "defaults_changed_since", "somebody has changed these values since this page was loaded"
    DEFAULTS_TAKEN_BACK = "defaults_taken_back", "this was taken back already, or changed again since"
    FILE_TYPED_IN = "file_typed_in", "this file has not failed, or somebody has typed it in already"


class BatchEvent(MessageCode):
    """Why an entry was changed."""

    GIVEN = "batch_values_given", "Values of the upload were given: %(fields)s."
    TAKEN_BACK = "batch_values_taken_back", "Values of the upload were taken back: %(fields)s."
    RECEIVED = "received_on_given", "The date received was given."
    TYPED_FROM_FILE = "typed_in_from_file", "The file could not be read."
    TYPED_FROM_PAPER = "typed_in_from_paper", "There is no file of it."
