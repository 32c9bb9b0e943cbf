"""The form to accept, edit or reject a revision; the edited text becomes one Markdown document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.errors import InvalidInputError
from research.document import ReportDocument, Section
from services.supervision.codes import SupervisionCode
from services.supervision.edited_document import editable_markdown

Decided = Literal["accepted", "edited", "rejected"]
_DECIDED: dict[str, Decided] = {"accept": "accepted", "edit": "edited", "reject": "rejected"}
#: Name of the input with the whole document.
WHOLE = "document"
_SECTION = "section-"


@dataclass(frozen=True)
class Answer:
    """The decision in a form."""

    decided: Decided
    #: The whole document, with markers by key; None unless it was edited.
    markdown: str | None
    reason: str | None


@dataclass(frozen=True)
class EditedText:
    """One input of the form."""

    name: str
    heading: str
    text: str


def answer_of(form: Mapping[str, str], proposed: ReportDocument) -> Answer:
    """Return the decision. Raises InvalidInputError without one, or if it does not match the edited text."""
    decided = _DECIDED.get(form.get("decide", ""))
    if decided is None:
        raise InvalidInputError(SupervisionCode.FORM_INCOMPLETE)
    markdown = edited_markdown(form, proposed)
    if decided == "accepted" and markdown is not None:
        raise InvalidInputError(SupervisionCode.TEXT_CHANGED)
    if decided == "edited" and markdown is None:
        raise InvalidInputError(SupervisionCode.TEXT_UNCHANGED)
    return Answer(decided, markdown if decided == "edited" else None, form.get("reason", "").strip() or None)


def edited_markdown(form: Mapping[str, str], proposed: ReportDocument) -> str | None:
    """Return the typed document as Markdown; None if it equals the proposed one."""
    if (whole := form.get(WHOLE)) is not None:
        typed = _lines(whole)
        return None if typed.strip() == editable_markdown(proposed).strip() else typed
    sections = tuple(_typed_section(form, section) for section in proposed.sections)
    if sections == proposed.sections:
        return None
    return editable_markdown(proposed.model_copy(update={"sections": sections}))


def section_input(section: Section) -> str:
    """Return the name of a section's input."""
    return f"{_SECTION}{section.key}"


def _typed_section(form: Mapping[str, str], section: Section) -> Section:
    typed = form.get(section_input(section))
    if typed is None or _lines(typed).strip() == section.body.strip():
        return section
    return section.model_copy(update={"body": _lines(typed).strip()})


def _lines(text: str) -> str:
    """Replace CRLF, which browsers send as line ends, by LF."""
    return text.replace("\r\n", "\n")
