"""The types of providers' answers, which database and JSON can store."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Annotated, Any, TypeVar

from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    OnErrorOmit,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from research.sources.passages import clean

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")

_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(\s[^<>]*)?/?>")
_YEAR = re.compile(r"(1[5-9]|20)\d\d")
#: Most characters of a title, name or identifier.
_LONGEST = 500


def read_answer(shape: type[R], body: bytes) -> R:
    """Read an answer; a null in it is the same as a missing field. Raises ValueError or RecursionError."""
    said = json.loads(
        body, object_pairs_hook=lambda fields: {name: value for name, value in fields if value is not None}
    )
    # Halves of surrogate pairs, as in texts that JavaScript cut, become question marks.
    return shape.model_validate_json(json.dumps(said, ensure_ascii=False).encode(errors="replace"))


def at(*path: str, default: Any = "") -> Any:
    """Return a field whose value is found by this path of names in the answer."""
    return Field(default, validation_alias=AliasPath(*path))


def unmarked(text: str) -> str:
    """Return the text on one line, without markup and entities."""
    return " ".join(clean(_MARKUP.sub("", unescape(text))).split())


def _line(value: object) -> str:
    return unmarked(value[: 2 * _LONGEST])[:_LONGEST] if isinstance(value, str) else ""


def _year(value: object) -> int | None:
    found = _YEAR.match(str(value)) if type(value) in (str, int) else None
    return int(found[0]) if found else None


def _some(given: Any, read: ValidatorFunctionWrapHandler) -> Any:
    found = read(given)
    if given and not found:
        raise ValueError("nothing that could be read")
    return found


#: A text; empty if the value is not a string.
Said = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")]
#: A title or name without markup and entities; empty if the value is not a string.
Line = Annotated[str, BeforeValidator(_line)]
#: The year of a number or at the start of a date, or None.
Year = Annotated[int | None, BeforeValidator(_year)]
#: The items of a list without malformed ones; invalid if all are malformed.
Many = Annotated[tuple[OnErrorOmit[T], ...], WrapValidator(_some)]
