"""Sign in and out, invitations, password resets, theme and language."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)

from web.auth import invitation, language, password_reset, sign_in, theme, tokens  # noqa: E402,F401
