"""Sign in and out, one's own account, invitations, password resets, theme and language."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)

from web.auth import (  # noqa: E402
    account,  # noqa: F401
    confirm,  # noqa: F401
    invitation,  # noqa: F401
    language,  # noqa: F401
    mail_link,  # noqa: F401
    own,  # noqa: F401
    password_reset,  # noqa: F401
    second_factor,  # noqa: F401
    sign_in,  # noqa: F401
    theme,  # noqa: F401
    tokens,  # noqa: F401
)
