"""Sign in and out, invitations, password resets, the theme."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)

from web.auth import invitation, password_reset, sign_in, theme  # noqa: E402,F401
