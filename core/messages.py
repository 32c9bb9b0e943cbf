"""What happened, as data: a code and its parameters. `core.saying` turns them into sentences for people.

A code is a member of a `MessageCode` enum; its label is an English template with named places in the manner of
gettext: `TOO_LONG = "too_long", "%(field)s: at most %(limit)s characters"`. The stored keys of all codes are
unique, so that a row needs the key alone. Parameters are JSON: ids, numbers, keys of fields and enums; a person's
name only where the record itself holds it. The name of a place says how its value is shown, see `core.saying`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self, TypeAlias

from core.labels import LabelledEnum

#: Types that a parameter may have when passed; it is stored as plain JSON.
Param: TypeAlias = "bool | int | float | str | date | Message | Sequence[Param] | Mapping[str, Param] | None"

#: A place of a template, or an escaped percent sign.
PLACE = re.compile(r"%\((\w+)\)s|%%")

_CODES: dict[str, MessageCode] = {}


class MessageCode(LabelledEnum):
    """Base of enums whose labels are templates: (stored key, template), and a heading where codes are counted."""

    #: What the code means without its parameters, for statistics.
    heading: str

    def __new__(cls, key: str, label: str = "", heading: str = "") -> Self:
        member = str.__new__(cls, key)
        member._value_, member.label, member.heading = key, label, heading or label
        return member

    def __init_subclass__(cls, *, places: Sequence[str] = ()) -> None:
        super().__init_subclass__(places=places)
        for code in cls:
            known = _CODES.setdefault(str(code), code)
            if type(known).__qualname__ != cls.__qualname__:
                raise TypeError(f"the code {str(code)!r} is of {type(known).__qualname__} already")

    @property
    def places(self) -> frozenset[str]:
        """Names of the places of the template."""
        return frozenset(name for name in PLACE.findall(self.label) if name)


def code_of(key: str) -> MessageCode | None:
    """Return the code with this stored key; None for an unknown key (of another version)."""
    return _CODES.get(key)


def all_codes() -> list[MessageCode]:
    """Return every code defined by the modules imported so far."""
    return list(_CODES.values())


@dataclass(frozen=True, slots=True)
class Message:
    """What happened: the stored key of a code and its parameters, plain JSON both."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, code: MessageCode, /, **params: Param) -> Self:
        """A message of a code.

        Raises TypeError when the parameters are not exactly the template's places, which is a bug in the caller.
        """
        if params.keys() != code.places:
            raise TypeError(f"{code!r} takes {sorted(code.places)}, not {sorted(params)}")
        return cls(str(code), {name: _plain(value) for name, value in params.items()})

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the message of the output of `to_json`, even if its code is unknown to this version."""
        return cls(str(stored["code"]), dict(stored.get("params") or {}))

    def to_json(self) -> dict[str, Any]:
        """`{"code": …, "params": {…}}`."""
        return {"code": self.code, "params": dict(self.params)}


def is_message(value: object) -> bool:
    """Whether a parameter is itself a message, in JSON."""
    return isinstance(value, Mapping) and "code" in value


def _plain(value: Param) -> Any:
    """Return a parameter as plain JSON that every serializer preserves: no enums, tuples or dates."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_plain(one) for one in value]
    return value
