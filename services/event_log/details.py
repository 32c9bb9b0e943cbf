"""What may be said of an event beside who and when."""

from __future__ import annotations

from core.labels import LabelledEnum


class EventDetail(LabelledEnum):
    """Keys of an event's details."""

    BROWSER = "browser", "Browser"
    ROLE = "role", "Role"
    BEFORE = "before", "Before"
    TOKEN = "token", "Token"
    SCOPES = "scopes", "Permissions"
    WHAT = "what", "What"
    ROWS = "rows", "Rows"
    SEASON = "season", "Season"
    FILTERS = "filters", "Filters"
    RULES = "rules", "Rules"
    FORM = "form", "Form"
    VERSION = "version", "Version"
    STEP = "step", "Step"
    STATE = "state", "State"
