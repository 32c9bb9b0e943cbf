"""Ask for what is missing: choose entries, look at the letters, send or print them."""

from __future__ import annotations

from datetime import timedelta

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.mail.send import mail_is_configured
from services.letters.incomplete import list_incomplete
from services.letters.office_texts import office_texts
from services.letters.plan import USUAL_DAYS, plan_letters
from services.letters.write_letters import WrittenLetters, write_letters
from web.access import access
from web.context import get_context, get_person, get_settings
from web.i18n import say
from web.letters import blueprint
from web.letters.form import addressed_to, letter_request


@blueprint.get("/submissions/missing")
@access("reviewer")
def missing() -> ResponseReturnValue:
    return _chooser()


@blueprint.post("/submissions/missing/preview")
@access("reviewer")
def preview() -> ResponseReturnValue:
    """Show what each letter would say, in both languages, before anything goes out."""
    try:
        wanted = letter_request(request.form)
        plan = plan_letters(get_context(), wanted)
    except InvalidInputError as error:
        return _chooser(say(error.told)), error.http_status
    return render_template("letters/preview.html", plan=plan, wanted=wanted, configured=_configured())


@blueprint.post("/submissions/missing/send")
@access("reviewer")
def send() -> ResponseReturnValue:
    try:
        done = write_letters(get_context(), get_person().id, letter_request(request.form))
    except (InvalidInputError, ConflictError) as error:
        return _chooser(say(error.told)), error.http_status
    _tell(done)
    return redirect(url_for("letters.index", printed=[str(key) for key in done.printed]))


def _chooser(problem: str = "") -> str:
    given, today = request.values, get_settings().office_day(utcnow())
    by, after = addressed_to(given.get("by")), request.args.get("after")
    return render_template(
        "letters/missing.html",
        page=list_incomplete(get_context(), by, after if after and "\0" not in after else None),
        by=by,
        is_first=not after,
        mark_all=request.args.get("mark") == "all",
        chosen={value.partition(":")[0] for value in request.form.getlist("entry")},
        until=given.get("until") or (today + timedelta(days=USUAL_DAYS)).isoformat(),
        today=today,
        configured=_configured(),
        answerable=bool(office_texts(get_context()).contact),
        problem=problem,
    )


def _configured() -> bool:
    return mail_is_configured(get_settings())


def _tell(done: WrittenLetters) -> None:
    if done.mailed:
        flash(
            ngettext(
                "%(num)d letter will be sent by e-mail.", "%(num)d letters will be sent by e-mail.", done.mailed
            ),
            "success",
        )
    if done.printed:
        number = len(done.printed)
        flash(
            ngettext("%(num)d letter is ready to print.", "%(num)d letters are ready to print.", number), "success"
        )
    if done.left_out:
        told = gettext(
            "Left out because they changed or someone asked about them in the meantime: %(num)d.",
            num=done.left_out,
        )
        flash(told, "problem")
