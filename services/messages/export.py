"""Message codes of refused exports."""

from __future__ import annotations

from core.messages import MessageCode


class ExportRefused(MessageCode):
    """Why an export was refused."""

    COLUMN_UNKNOWN = "column_unknown", "no such column: %(names)s"
    FORMAT_UNKNOWN = "export_format_unknown", "%(export_kind)s: the format must be one of %(choices)s"
    NOT_READY = "export_not_ready", "This export is not ready yet. Wait until it is done."
    TOO_LARGE = (
        "export_too_large",
        "The document is too large or too deeply nested for this format. Choose another one, such as Markdown.",
    )
    NOT_MADE = "export_not_made", "This file could not be made. %(why)s"
    NOT_FAILED = "export_not_failed", "this export has not failed"
    SEASON_UNKNOWN = "export_season_unknown", "no such season"
