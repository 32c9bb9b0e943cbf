"""All tokens for the JSON API: look through them and revoke them."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from services.accounts.tokens.api_tokens import revoke_token as revoke
from services.accounts.tokens.every_token import list_every_token
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person


@blueprint.get("/tokens")
@access("admin")
def tokens() -> ResponseReturnValue:
    return render_template("admin/tokens.html", page=list_every_token(get_context(), request.args.get("page")))


@blueprint.post("/tokens/<uuid:token_id>/revoke")
@access("admin")
def revoke_token(token_id: uuid.UUID) -> ResponseReturnValue:
    revoke(get_context(), token_id, None, get_person().id)
    flash(gettext("The token was revoked. Programs that used it no longer have access."), "success")
    return redirect(url_for("admin.tokens"))
