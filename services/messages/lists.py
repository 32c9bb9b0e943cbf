"""Message codes of refusals about saved filters and changes of many entries."""

from __future__ import annotations

from core.messages import MessageCode


class ListRefused(MessageCode):
    """Why something about a list was refused."""

    NAME_EMPTY = "filter_name_empty", "Give the filter a name."
    NAME_LONG = "filter_name_long", "A name has at most %(limit)s characters; this one has %(count)s."
    NAME_TAKEN = "filter_name_taken", "You already have a filter named “%(name)s”."
    TOO_MANY = ("filters_too_many", "You can save at most %(limit)s filters. Delete one that you no longer use.")
    NO_ENTRIES = "bulk_no_entries", "Choose the entries, or a filter."
    FIELD_UNKNOWN = "bulk_field_unknown", "Choose one of these fields: %(fields)s."
    NO_OLD_VALUE = "bulk_no_old_value", "Enter the value to replace."
    SAME_VALUE = "bulk_same_value", "The new value is the same as the old one."
    NO_NEW_VALUE = "bulk_no_new_value", "Enter the new value."
    TOO_MANY_ENTRIES = ("bulk_too_many", "At most %(limit)s entries can be changed at once; you chose %(count)s.")
    NOT_READY = "bulk_not_ready", "The preview is not ready, or the change has already been applied."
    NOT_WORKING = "bulk_not_working", "It is not in progress."
    NOT_UNDOABLE = "bulk_not_undoable", "There is nothing left to undo."
    TOO_MANY_ANEW = (
        "reread_too_many",
        "At most %(limit)s entries can be read again at once; you chose %(count)s.",
    )
    NOTHING_DIFFERS = "reread_nothing_differs", "There is nothing here to accept."
    NOT_FAILED = "bulk_not_failed", "this change has not failed"
