"""Ids of the claims that a revision adds: the same for the same words in the same place."""

from __future__ import annotations

import hashlib


def claim_id_of(place: str) -> str:
    """An id that no claim of the report's own has: these begin with a c."""
    return f"x{hashlib.sha256(place.encode()).hexdigest()[:10]}"
