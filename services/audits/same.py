"""Whether an auditor and the machine say the same of a field. Pure."""

from __future__ import annotations

from pipeline.extraction.values.text import tidy
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import kind_of


def same(name: str, value: str | None, typed: str | None) -> bool:
    """Return whether two values of a field differ at most in spaces, capitals and the signs of a number."""
    if value is None or typed is None:
        return value is typed
    return _folded(name, value) == _folded(name, typed)


def _folded(name: str, value: str) -> str:
    if kind_of(name) is FieldKind.PHONE:
        return "".join(filter(str.isdigit, value))
    return tidy(value).casefold()
