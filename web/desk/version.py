"""Read the version of an item from a form."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from services.messages.refused import Refused
from web.whole_number import whole_number


def version_of(form: MultiDict[str, str]) -> int:
    """Return the version of the item that the person saw."""
    version = form.get("version", type=whole_number)
    if version is None or version < 1:
        raise InvalidInputError(Refused.FORM_INCOMPLETE)
    return version
