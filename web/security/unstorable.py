"""Refuse text that PostgreSQL cannot store before any view sees it."""

from __future__ import annotations

from flask import abort, request


def refuse_unstorable_text() -> None:
    """Abort a request with 400 if its URL or a form value contains a NUL."""
    values = [*request.view_args.values()] if request.view_args else []
    values += [value for _, value in request.args.items(multi=True)]
    values += [value for _, value in request.form.items(multi=True)]
    if any(isinstance(value, str) and "\x00" in value for value in values):
        abort(400)
