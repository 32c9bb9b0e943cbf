"""How long the texts of an entry are, and how long its form lets them be."""

from __future__ import annotations

import re
import unicodedata

from pipeline.profiles import FieldKind, known_profile
from pipeline.profiles.declared import fields_of_kind
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy

_LINE_BREAK = re.compile(r"\r\n|[\r\n\u2028\u2029]")


def character_count(text: str) -> int:
    """Return the number of characters as forms count them.

    Spaces and punctuation count, a line break counts once however it is stored, an accented letter is one
    character, and blanks before and after the text do not count.
    """
    return len(unicodedata.normalize("NFC", _LINE_BREAK.sub("\n", text).strip()))


def character_limits(profile: str | None, version: int | None, policy: Policy) -> dict[str, int]:
    """Return {field: most characters} of a form in a version; the season's limit of an essay goes before."""
    form = known_profile(profile, version)
    limits = {} if form is None else {n: s.max_characters for n, s in form.fields.items() if s.max_characters}
    if policy.max_essay_characters is not None:
        limits |= dict.fromkeys(fields_of_kind(FieldKind.ESSAY), policy.max_essay_characters)
    return limits


def over_limit(record: SubmissionRecord, policy: Policy) -> list[str]:
    """Return the fields whose text is longer than it may be."""
    return [
        name
        for name, limit in character_limits(record.profile, record.profile_version, policy).items()
        if character_count(record.value_of(name) or "") > limit
    ]
