"""Read the version that a client has seen, from the body or If-Match."""

from __future__ import annotations

from typing import Protocol

from flask import abort, request


class Versioned(Protocol):
    """Protocol of a body with an optional version."""

    version: int | None


def version_seen(body: Versioned) -> int:
    """Return the version. Aborts with 428 if none is given, 400 if the two differ or If-Match is not a version."""
    named = _if_match()
    if body.version is not None and named is not None and body.version != named:
        abort(400)
    version = body.version if body.version is not None else named
    if version is None:
        abort(428)
    return version


def _if_match() -> int | None:
    header = request.headers.get("If-Match")
    if header is None:
        return None
    tag = header.strip().strip('"')
    if not tag.isascii() or not tag.isdigit() or not 0 < int(tag[:11]) < 2**31:
        abort(400)
    return int(tag)
