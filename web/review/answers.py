"""Read a person's answers from the form of a proposal or an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from werkzeug.datastructures import MultiDict

from services.review.decide_suggestion import FieldAnswer
from services.review.suggestion_detail import ProposedField
from web.labels import DERIVED_FIELDS


def answers_of(form: MultiDict[str, str], fields: Sequence[ProposedField]) -> dict[str, FieldAnswer]:
    """Return {field: answer}. "Reject all" overrides the answers of the fields.

    A field for which nothing is proposed has no choice: what was typed into it is its answer.
    """
    if form.get("decide") == "reject":
        return {field.name: FieldAnswer("reject") for field in fields}
    return {field.name: _answer(form, field) for field in fields}


def _answer(form: MultiDict[str, str], field: ProposedField) -> FieldAnswer:
    value = _text(form.get(f"value-{field.name}"))
    action = form.get(f"action-{field.name}") or ("edit" if field.proposed is None and value else "reject")
    if action == "keep" and field.current is not None:
        return FieldAnswer("keep")
    if action == "edit" and value is not None and value != field.proposed:
        return FieldAnswer("keep") if value == field.current else FieldAnswer("edit", value)
    if action in ("approve", "edit") and value == field.proposed and value is not None:
        return FieldAnswer("approve")
    if action == "approve" and field.proposed is not None:
        return FieldAnswer("approve")
    return FieldAnswer("reject")


def changed_values(form: Mapping[str, str], standing: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the sent values that differ from the `standing` ones; unchanged fields keep their recorded origin."""
    sent = {key.removeprefix("value-"): _text(value) for key, value in form.items() if key.startswith("value-")}
    return {
        name: value
        for name, value in sent.items()
        if name in standing and name not in DERIVED_FIELDS and value != _text(standing[name])
    }


def _text(value: str | None) -> str | None:
    """Return the value with CRLF, which browsers send, replaced by LF; None if it is empty."""
    return (value or "").replace("\r\n", "\n").strip() or None
