"""What a question seems to ask for, shown on the form before anything is planned."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from research.config import Language
from research.questions.catalog_fields import fields_of
from research.report_type import ReportType, detect_report_type, target_items
from research.text import detect_language


@dataclass(frozen=True)
class Understood:
    """The values of a form that a question fills, as text."""

    report_type: str = "automatic"
    target_items: str = ""
    #: One a line.
    fields: str = ""

    def of(self, name: str) -> str:
        """Return the value of an element of the form."""
        return str(getattr(self, name))


NAMES = ("report_type", "target_items", "fields")


def understand(query: str) -> Understood:
    """Return what a question asks for; nothing for an empty one."""
    if not query:
        return Understood()
    kind, count = detect_report_type(query), target_items(query)
    if kind is ReportType.NARRATIVE:
        return Understood(kind.value)
    return Understood(kind.value, str(count or ""), "\n".join(fields_of(query, _language(query))))


def _language(query: str) -> Language:
    return "es" if detect_language(query) == "es" else "en"


def question_of(typed: MultiDict[str, str], name: str = "query") -> str:
    """Return a question of the form with single spaces. `read` is the one that the values were filled for."""
    return " ".join(typed.get(name, "")[:2000].split())


def filled(typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with what its question asks for, in place of what is empty or was filled for another one."""
    query = question_of(typed)
    before, now = understand(question_of(typed, "read")), understand(query)
    values = typed.copy()
    for name in NAMES:
        if as_shown(typed, name) in ("", "automatic", before.of(name)):
            values[name] = now.of(name)
    values["read"] = query
    return values


def changed(typed: MultiDict[str, str]) -> set[str]:
    """Return the names of the values that a person changed."""
    now = understand(question_of(typed, "read"))
    return {name for name in NAMES if as_shown(typed, name) not in ("", "automatic", now.of(name))}


def as_shown(typed: MultiDict[str, str], name: str) -> str:
    """Return a typed value without the line ends of browsers."""
    return "\n".join(line.strip() for line in typed.get(name, "").splitlines() if line.strip())
