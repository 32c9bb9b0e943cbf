"""Sign in and out, one's own account, invitations, password resets, theme and language."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)

from web.auth import account, password_links, sign_in  # noqa: E402,F401
