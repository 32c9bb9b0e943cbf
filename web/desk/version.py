"""The version of an item that a form was made from."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from services.messages.refused import Refused

#: Beyond what the database's integers hold.
_NO_VERSION = 2**31


def version_of(form: MultiDict[str, str]) -> int:
    """The version that the person saw."""
    version = form.get("version", type=int)
    if version is None or not 0 < version < _NO_VERSION:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return version
