"""Message codes of refused changes of a season."""

from __future__ import annotations

from core.messages import MessageCode


class SeasonRefused(MessageCode):
    """Why a season or its rules were not changed."""

    RULES_DO_NOT_FIT = "rules_do_not_fit", "This value is not possible: %(rules)s."
    FIELDS_UNKNOWN = "fields_unknown", "A required field is none that an entry has."
    NO_SUCH_RULE = "no_such_rule", "There is no such rule: %(names)s."
    FORMS_UNKNOWN = "forms_unknown", "There is no such form: %(names)s."
    NOTHING_CHANGES = "nothing_changes", "Nothing changes: these are the rules already."
    NAME_MISSING = "season_name_missing", "Give the season a name of at most %(limit)s letters."
    NAME_TAKEN = "season_name_taken", "There is a season of this name already."
    DATES_REVERSED = "season_dates_reversed", "The season ends before it begins."
    END_HAS_COME = (
        "season_end_has_come",
        "This day has come already. A season is ended by closing it, on the page of seasons.",
    )
    IS_OPEN = "season_is_open", "This season is open already."
    IS_CLOSED = "season_is_closed", "The season %(season)s is closed: nothing is handed in any more."
    NONE_OPEN = "no_season_of_this_name", "There is no season of this name."


class SeasonConflict(MessageCode):
    """Why a change came too late."""

    CHANGED = "season_changed", "the rules of the season have changed since this page was loaded"
    CHANGED_SINCE = "rules_changed_since", "these rules were changed again since: %(rules)s"
    TAKEN_BACK = "change_taken_back", "this change was taken back already"
