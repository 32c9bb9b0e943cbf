"""Make ids of the claims that a revision adds, deterministic for the same words at the same place."""

from __future__ import annotations

import hashlib


def claim_id_of(place: str) -> str:
    """Return an id that differs from those of the report's own claims, which begin with "c"."""
    return f"x{hashlib.sha256(place.encode()).hexdigest()[:10]}"
