"""Read the version of an item from a form."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from services.messages.refused import Refused

#: First number that the database's integer columns cannot hold.
_NO_VERSION = 2**31


def version_of(form: MultiDict[str, str]) -> int:
    """Return the version of the item that the person saw."""
    version = form.get("version", type=int)
    if version is None or not 0 < version < _NO_VERSION:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return version
