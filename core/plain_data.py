"""Plain data: characters that no stored text has, tokens of a text, a graph's state, dataclasses of rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

# Characters that no stored text has: PostgreSQL refuses NUL, UTF-8 has no lone surrogates.


#: Line ends besides the line feed: carriage returns, vertical tabs (Word's and Acrobat's soft return), form
#: feeds, next line, Unicode's separators of lines and paragraphs.
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
#: Control characters, halves of surrogate pairs and noncharacters of the basic plane.
_REFUSED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def storable(text: str) -> str:
    """Return a text without control characters, lone surrogates and noncharacters; lines end with a line feed."""
    if text.isprintable():
        return text
    return _REFUSED.sub("", _LINE_ENDS.sub("\n", text))


def escaped(text: str) -> str:
    """Return a text on one line in which characters that do not print, or that steer a terminal, are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# The estimate of a text's number of tokens.


#: In UTF-8. Most tokenizers make longer tokens of most texts, so the estimate tends to be too high.
BYTES_PER_TOKEN = 3


def token_count(text: str) -> int:
    """Bytes of UTF-8 divided by three, rounded up; half of a surrogate pair counts like a whole character."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


# Checks of a graph's state: only declared keys, only JSON types.


Delta = TypeVar("Delta", bound=Mapping[str, Any])


def checked_delta(node: str, delta: Delta, declared: Collection[str]) -> Delta:
    """Return the delta. Raises TypeError for a key LangGraph would silently drop or a value that is not JSON.

    The serializer does not reject objects: it stores their fields, a `SecretStr` in clear text.
    """
    for key, value in delta.items():
        if key not in declared:
            raise TypeError(f"{node} returned {key!r}, which its state does not declare")
        if not is_json(value):
            raise TypeError(f"{node} returned {key!r} with something that is not of a JSON type")
    return delta


def is_json(value: object) -> bool:
    """Whether the value consists of JSON types at every level; subclasses (enums, named tuples) do not count."""
    if value is None or type(value) in (str, int, float, bool):
        return True
    if type(value) is list:
        return all(is_json(item) for item in value)
    return type(value) is dict and all(type(key) is str and is_json(item) for key, item in value.items())


# A dataclass made from a row.

Made = TypeVar("Made")


def built(kind: type[Made], row: object, /, **given: Any) -> Made:
    """Return a dataclass whose fields are the row's attributes of the same names, but for those given.

    Raises AttributeError for a field that is neither given nor an attribute of the row.
    """
    names = [field.name for field in fields(cast(Any, kind)) if field.name not in given]
    return kind(**{name: getattr(row, name) for name in names}, **given)
