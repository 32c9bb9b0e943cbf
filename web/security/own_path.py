"""Redirects that stay on this site."""

from __future__ import annotations

from urllib.parse import urlsplit


def own_path(wanted: str | None, otherwise: str) -> str:
    """`wanted` if it is a path of this site, else `otherwise`. `//host`, `/\\host` and schemes are none."""
    if not wanted or not wanted.startswith("/") or wanted.startswith(("//", "/\\")):
        return otherwise
    if any(ord(char) < 32 for char in wanted):
        return otherwise
    parts = urlsplit(wanted)
    return otherwise if parts.scheme or parts.netloc else wanted
