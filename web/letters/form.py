"""What the form of chosen entries holds."""

from __future__ import annotations

import uuid
from datetime import date

from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from core.labels import keys_of
from core.models import AddressedTo
from services.letters.plan import LetterRequest
from services.messages.letter import LetterRefused


def addressed_to(key: str | None) -> AddressedTo:
    """Return the key's member; schools for any other text."""
    return AddressedTo(key) if key in keys_of(AddressedTo) else AddressedTo.SCHOOL


def letter_request(form: MultiDict[str, str]) -> LetterRequest:
    """Return what was chosen. Raises InvalidInputError for a day that is none; what is no entry is left out."""
    language = form.get("language", "")
    return LetterRequest(
        addressed_to(form.get("by")),
        dict(_chosen(form.getlist("entry"))),
        _day(form.get("until", "")),
        "en" if language == "en" else "es" if language == "es" else "own",
        form.get("way") == "print",
    )


def _chosen(values: list[str]) -> list[tuple[uuid.UUID, int]]:
    """Read `id:times asked before`."""
    found = []
    for value in values:
        key, _, times = value.partition(":")
        try:
            found.append((uuid.UUID(key), int(times)))
        except ValueError:
            continue
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise InvalidInputError(LetterRefused.UNTIL) from exc
