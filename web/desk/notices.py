"""Notices after a decision, with an undo button: on the next page, or in the answer to a script."""

from __future__ import annotations

from flask import jsonify, redirect, render_template, session
from flask.typing import ResponseReturnValue

from web.negotiation import wants_json

_KEY = "notice"


def go_on(to: str, sentence: str, undo: str | None) -> ResponseReturnValue:
    """Go to the next page with a notice. `undo` is the URL to undo the decision; None if it cannot be undone."""
    notice = {"sentence": sentence, "undo": undo}
    if wants_json():
        return jsonify(next=to, notice=render_template("review/_notice.html", notice=notice))
    session[_KEY] = notice
    return redirect(to)


def take_notice() -> dict[str, str | None] | None:
    """Remove the notice from the session and return it, None without one."""
    notice: dict[str, str | None] | None = session.pop(_KEY, None)
    return notice
