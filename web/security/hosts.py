"""Answer only under the names of this server.

A page elsewhere can have its own name point to this machine (DNS rebinding); the browser then takes our answers
for its own. The name that it asks for gives it away.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from core.config import Settings
from core.errors import HostRefusedError
from core.log import get_logger
from web.context import get_settings

_log = get_logger(__name__)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: Values of HOST that name no address: the server listens on all.
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # nosec B104: compared with, never listened on


def require_own_host() -> None:
    """Raise HostRefusedError if the request names another server."""
    if not _is_own(get_settings(), _name(request.host)):
        _log.warning("host_refused", setting="ALLOWED_HOSTS")
        raise HostRefusedError("not a name of this server")


def _name(host: str) -> str:
    """Return the host without its port, in lower case; "" for what is no host."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_own(settings: Settings, name: str) -> bool:
    if name in _LOOPBACK or name == settings.host.lower() or name in settings.hosts:
        return True
    # An address cannot be rebound: only names can.
    return settings.host in _EVERYWHERE and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
