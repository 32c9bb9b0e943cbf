"""What a decision did, with the button that takes it back: on the next page, or in the answer to a script."""

from __future__ import annotations

from flask import jsonify, redirect, render_template, session
from flask.typing import ResponseReturnValue

from web.negotiation import wants_json

_KEY = "notice"


def go_on(to: str, sentence: str, undo: str | None) -> ResponseReturnValue:
    """Show the next page. `undo`: the address that takes back what `sentence` tells; None where nothing can."""
    notice = {"sentence": sentence, "undo": undo}
    if wants_json():
        return jsonify(next=to, notice=render_template("review/_notice.html", notice=notice))
    session[_KEY] = notice
    return redirect(to)


def take_notice() -> dict[str, str | None] | None:
    """What the page has to tell, once."""
    notice: dict[str, str | None] | None = session.pop(_KEY, None)
    return notice
