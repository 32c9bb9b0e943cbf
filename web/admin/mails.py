"""The mails that wait, were sent, or were not: try again and cancel."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.labels import keys_of
from core.mail.send import mail_is_configured
from core.models import MailState
from services.mails.change_mail import KEPT_DAYS, cancel_mail, retry_mail
from services.mails.list_mails import count_mails, list_mails
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_settings
from web.security.confirmed import confirmed


@blueprint.get("/mails")
@access("overseer")
def mails() -> ResponseReturnValue:
    state = _state()
    return render_template(
        "admin/mails.html",
        page=list_mails(get_context(), state, request.args.get("page")),
        counts=count_mails(get_context()),
        state=state,
        filters={"state": state.value} if state else {},
        configured=mail_is_configured(get_settings()),
        kept_days=KEPT_DAYS,
    )


@blueprint.post("/mails/<uuid:mail_id>/retry")
@access("admin")
@confirmed
def retry_one_mail(mail_id: uuid.UUID) -> ResponseReturnValue:
    retry_mail(get_context(), mail_id)
    flash(gettext("The message will be sent again."), "success")
    return redirect(url_for("admin.mails"))


@blueprint.post("/mails/<uuid:mail_id>/cancel")
@access("admin")
@confirmed
def cancel_one_mail(mail_id: uuid.UUID) -> ResponseReturnValue:
    cancel_mail(get_context(), mail_id)
    flash(gettext("The message will not be sent."), "success")
    return redirect(url_for("admin.mails"))


def _state() -> MailState | None:
    name = request.args.get("state", "")
    return MailState(name) if name in keys_of(MailState) else None
