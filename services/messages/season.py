"""Message codes of refused changes of a season."""

from __future__ import annotations

from core.messages import MessageCode


class SeasonRefused(MessageCode):
    """Why a season or its rules were not changed."""

    RULES_DO_NOT_FIT = "rules_do_not_fit", "This value is not allowed: %(rules)s."
    FIELDS_UNKNOWN = "fields_unknown", "One of the required fields is not a field that entries have."
    NO_SUCH_RULE = "no_such_rule", "There is no such rule: %(names)s."
    FORMS_UNKNOWN = "forms_unknown", "There is no such form: %(names)s."
    NOTHING_CHANGES = "nothing_changes", "Nothing changes: these are already the rules."
    NAME_MISSING = "season_name_missing", "Give the season a name of at most %(limit)s characters."
    NAME_TAKEN = "season_name_taken", "There is already a season with this name."
    DATES_REVERSED = "season_dates_reversed", "The season's last day is before its first day."
    END_HAS_COME = (
        "season_end_has_come",
        "This day has already passed. To end a season, close it on the Seasons page.",
    )
    IS_OPEN = "season_is_open", "This season is already open."
    IS_CLOSED = "season_is_closed", "The season %(season)s is closed and does not accept uploads."
    NONE_OPEN = "no_season_of_this_name", "There is no season with this name."


class SeasonConflict(MessageCode):
    """Why a change came too late."""

    CHANGED = "season_changed", "the rules of the season have changed since you opened this page"
    CHANGED_SINCE = "rules_changed_since", "these rules have since been changed again: %(rules)s"
    TAKEN_BACK = "change_taken_back", "this change has already been undone"
