"""The page on which a reviewer takes doubtful words out of essays or keeps them, one after the other."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import InvalidInputError
from services.library.essays.doubtful_words import decide_word
from services.library.essays.next_word import next_word
from services.library.essays.undo_word import last_decision, undo_word
from services.messages.refused import Refused
from web.access import access
from web.context import get_context, get_person
from web.research import blueprint

_DECISIONS = {"take": True, "keep": False}


@blueprint.get("/library/essays/words")
@access("reviewer")
def essay_words() -> ResponseReturnValue:
    context = get_context()
    last = last_decision(context, get_person().id)
    return render_template("research/essay_words.html", word=next_word(context), last=last)


@blueprint.post("/library/essays/<uuid:submission_id>/words")
@access("reviewer")
def decide_essay_word(submission_id: uuid.UUID) -> ResponseReturnValue:
    word, decision = request.form.get("word", ""), request.form.get("decide", "")
    if decision not in _DECISIONS or not word:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    won = decide_word(get_context(), get_person().id, submission_id, word, taken_out=_DECISIONS[decision])
    if not won:
        flash(gettext("Someone has already decided on that word."), "info")
    return redirect(url_for("research.essay_words"))


@blueprint.post("/library/essays/<uuid:submission_id>/words/undo")
@access("reviewer")
def undo_essay_word(submission_id: uuid.UUID) -> ResponseReturnValue:
    if not undo_word(get_context(), get_person().id, submission_id, request.form.get("word", "")):
        flash(gettext("Only your last decision can be undone."), "info")
    return redirect(url_for("research.essay_words"))
