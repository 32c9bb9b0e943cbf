"""Message codes of refusals about saved filters and changes of many entries."""

from __future__ import annotations

from core.messages import MessageCode


class ListRefused(MessageCode):
    """Why something about a list was refused."""

    NAME_EMPTY = "filter_name_empty", "Give the filter a name."
    NAME_LONG = "filter_name_long", "A name has at most %(limit)s characters; this one has %(count)s."
    NAME_TAKEN = "filter_name_taken", "You have a filter of this name already: “%(name)s”."
    TOO_MANY = "filters_too_many", "At most %(limit)s filters are kept. Delete one that you do not use any more."
    NO_ENTRIES = "bulk_no_entries", "Choose the entries, or a filter."
    FIELD_UNKNOWN = "bulk_field_unknown", "Choose one of these fields: %(fields)s."
    NO_OLD_VALUE = "bulk_no_old_value", "Say which value is to be renamed."
    SAME_VALUE = "bulk_same_value", "The new value is the old one."
    NO_NEW_VALUE = "bulk_no_new_value", "Say what the new value is."
    TOO_MANY_ENTRIES = "bulk_too_many", "At most %(limit)s entries are changed at once; these are %(count)s."
    NOT_READY = "bulk_not_ready", "Its preview is not ready, or it was applied already."
    NOT_WORKING = "bulk_not_working", "It is not under way."
    NOT_UNDOABLE = "bulk_not_undoable", "There is nothing of it that could be taken back."
    TOO_MANY_ANEW = (
        "reread_too_many",
        "At most %(limit)s entries are read anew at once; these are %(count)s.",
    )
    NOTHING_DIFFERS = "reread_nothing_differs", "There is nothing of these that could be taken."
    NOT_FAILED = "bulk_not_failed", "this change has not failed"
