"""A person's own tokens for the JSON API: make, list and revoke them. A new token is shown once."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from services.accounts.tokens.api_tokens import MAX_NAME_LENGTH, list_tokens, make_token, revoke_token
from services.accounts.tokens.scopes import STRONG, UNASKED_DAYS, Scope, scopes_of, wants_password
from web.access import access
from web.auth import blueprint
from web.context import get_context, get_person
from web.i18n import say
from web.security.confirmed import confirmed_where
from web.told import typed_lines
from web.whole_number import whole_number

#: Terms to choose from, in days.
TERMS = (7, 30, 90, 365)


@blueprint.get("/tokens")
@access("signed_in")
def tokens_page() -> ResponseReturnValue:
    return _page()


def _is_strong() -> bool:
    return wants_password(request.form.getlist("scope"), _days())


def _days() -> int:
    return request.form.get("days", default=0, type=whole_number)


@blueprint.post("/tokens")
@access("signed_in")
@confirmed_where(_is_strong)
def make() -> ResponseReturnValue:
    """Make a token and show it; it cannot be shown again."""
    form = request.form
    try:
        token = make_token(
            get_context(),
            get_person().id,
            form.get("name", ""),
            _days(),
            scopes_of(form.getlist("scope")),
            get_person().id,
        )
    except InvalidInputError as error:
        return _page(problem=say(error.told)), error.http_status
    return _page(token=token)


@blueprint.post("/tokens/<uuid:token_id>/revoke")
@access("signed_in")
def revoke(token_id: uuid.UUID) -> ResponseReturnValue:
    revoke_token(get_context(), token_id, get_person().id, get_person().id)
    flash(_("The token was revoked. Programs that used it no longer have access."), "success")
    return redirect(url_for("auth.tokens_page"))


def _page(problem: str = "", token: str = "") -> str:
    return render_template(
        "auth/tokens.html",
        tokens=list_tokens(get_context(), get_person().id),
        terms=TERMS,
        scopes=list(Scope),
        strong=STRONG,
        unasked_days=UNASKED_DAYS,
        longest=MAX_NAME_LENGTH,
        problem=problem,
        token=token,
        typed=typed_lines(),
    )
