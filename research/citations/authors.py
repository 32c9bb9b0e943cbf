"""Read authors' names: persons' given and family names, and organisations."""

from __future__ import annotations

import re

#: Words by which an author is recognised as an organisation; most are the beginnings of words.
_ORGANISATION = re.compile(
    r"\b(?:universi|institut|organi[sz]|departa?ment|minist|council|consejo|cent(?:er|re|ro)|school|escuela|foundation"
    r"|fundaci[oó]n|associa|asociaci|office|oficina|groups?\b|grupos?\b|teams?\b|network|red\b|agency|agencia|bureau"
    r"|committee|comit[eé]|commission|comisi[oó]n|secretar|society|sociedad|program|project|proyecto|district|bank|banco"
    r"|nations|unidas|government|gobierno|press\b|the\b|of\b|inc\b|llc\b|ltd\b)",
    re.IGNORECASE,
)
#: Particles that belong to the family name.
_PARTICLES = frozenset(
    {"de", "del", "la", "las", "los", "van", "von", "der", "den", "da", "dos", "di", "le", "du"}
)


def is_organisation(name: str) -> bool:
    """Return whether the name has a word of organisations' names."""
    return bool(_ORGANISATION.search(name))


def split_name(name: str) -> tuple[str, str]:
    """Return given and family name; an organisation or a single word is all family name."""
    family, comma, given = name.partition(",")
    if comma:
        return given.strip(), family.strip()
    words = name.split()
    if len(words) < 2 or is_organisation(name):
        return "", name
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])
