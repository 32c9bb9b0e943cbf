"""Restrict redirects to this site."""

from __future__ import annotations

from urllib.parse import urlsplit


def own_path(wanted: str | None, otherwise: str) -> str:
    """Return `wanted` if it is a path of this site, else `otherwise`.

    `//host`, `/\\host` and URLs with a scheme are not paths of this site.
    """
    if not wanted or not wanted.startswith("/") or wanted.startswith(("//", "/\\")):
        return otherwise
    if any(ord(char) < 32 for char in wanted):
        return otherwise
    parts = urlsplit(wanted)
    return otherwise if parts.scheme or parts.netloc else wanted
