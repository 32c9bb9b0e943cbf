"""Sign in and out, the person's account, invitations, password resets, theme and language."""

from web.access import Area

blueprint = Area("auth", __name__)

from web.auth import account, password_links, sign_in  # noqa: E402,F401
