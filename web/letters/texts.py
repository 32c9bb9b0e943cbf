"""What letters say: shown to whoever sends them, changed by admins."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError
from services.letters.office_texts import change_texts, office_texts
from services.letters.wording import LANGUAGES, NEEDED, PLACES
from web.access import access
from web.context import get_context, get_person
from web.i18n import say
from web.letters import blueprint
from web.whole_number import whole_number

_PARTS = ("subject", "body", "reminder")


@blueprint.get("/letters/texts")
@access("reader")
def texts() -> ResponseReturnValue:
    return _page()


@blueprint.post("/letters/texts")
@access("admin")
def change() -> ResponseReturnValue:
    form = request.form
    wording = {code: tuple(form.get(f"{part}-{code}", "") for part in _PARTS) for code in LANGUAGES}
    try:
        change_texts(
            get_context(),
            get_person().id,
            form.get("version", type=whole_number) or 0,
            form.get("office", ""),
            form.get("contact", ""),
            {code: (one[0], one[1], one[2]) for code, one in wording.items()},
        )
    except (InvalidInputError, ConflictError) as error:
        return _page(say(error.told)), error.http_status
    flash(gettext("The texts were saved. New letters will use them."), "success")
    return redirect(url_for("letters.texts"))


def _page(problem: str = "") -> str:
    return render_template(
        "letters/texts.html",
        texts=office_texts(get_context()),
        places=PLACES,
        needed=NEEDED,
        problem=problem,
        typed=request.form,
    )
