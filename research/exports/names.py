"""Split authors' names."""

from __future__ import annotations

import re

_ORGANISATION = re.compile(
    r"\b(?:universi\w+|institut\w*|department|departamento|minist\w+|council|consejo|centers?|centres?|centro|school"
    r"|escuela|foundation|fundación|association|asociación|office|oficina|group|grupo|team|network|red|agency|agencia|bureau"
    r"|committee|comité|society|sociedad|program(?:me|a)?s?|project|proyecto|district|the|of|inc|llc|ltd)\b",
    re.IGNORECASE,
)
#: Particles that belong to the family name.
_PARTICLES = frozenset(
    {"de", "del", "la", "las", "los", "van", "von", "der", "den", "da", "dos", "di", "le", "du"}
)


def split_name(name: str) -> tuple[str, str]:
    """Return given and family name; an organisation or a single word is all family name."""
    family, comma, given = name.partition(",")
    if comma:
        return given.strip(), family.strip()
    words = name.split()
    if len(words) < 2 or _ORGANISATION.search(name):
        return "", name
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])
