"""Text that PostgreSQL cannot hold is refused at the door, not met as a bug further in."""

from __future__ import annotations

from flask import abort, request


def refuse_unstorable_text() -> None:
    """Before each request: 400 for a NUL in the address or a form's value."""
    values = [*request.view_args.values()] if request.view_args else []
    values += [value for _, value in request.args.items(multi=True)]
    values += [value for _, value in request.form.items(multi=True)]
    if any(isinstance(value, str) and "\x00" in value for value in values):
        abort(400)
