"""The form of a season's rules: what it sends, as an address or a form, becomes a change."""

from __future__ import annotations

from typing import Any

from werkzeug.datastructures import MultiDict

from core.labels import keys_of
from pipeline.profiles import known_forms
from pipeline.schema import DocClass
from pipeline.validation.policy import DEFAULT_REQUIRED
from services.policy.rules import Rule

#: Rules that are sent as lists of checked boxes.
_LISTS = (Rule.DEFAULT_REQUIRED, Rule.MAY_STAY_EMPTY, Rule.REQUIRED, Rule.REQUIRED_BY_FORM, Rule.FORM_PROFILES)
#: Names the lists that a form has: boxes that are not checked are not sent.
GIVEN = "given"
#: Names the kinds of files that have required fields of their own.
DIFFERS = "differs"
#: Names the forms that the season wants other fields of than the form itself.
FORM_DIFFERS = "form_differs"


def changes_of(sent: MultiDict[str, str]) -> dict[str, Any]:
    """Return the changes that were sent, by the keys of `Rule`; None for what the settings are to say.

    A rule that was not sent does not change. Values are checked by whoever makes the change.
    """
    found: dict[str, Any] = {
        rule.value: sent[rule.value].strip() or None for rule in Rule if rule not in _LISTS and rule.value in sent
    }
    given = {*sent.getlist(GIVEN), *(rule.value for rule in _LISTS if rule.value in sent)}
    if Rule.DEFAULT_REQUIRED in given:
        required = sent.getlist(Rule.DEFAULT_REQUIRED)
        found[Rule.DEFAULT_REQUIRED.value] = None if set(required) == set(DEFAULT_REQUIRED) else required
    if Rule.MAY_STAY_EMPTY in given:
        found[Rule.MAY_STAY_EMPTY.value] = sent.getlist(Rule.MAY_STAY_EMPTY) or None
    if Rule.REQUIRED in given:
        found[Rule.REQUIRED.value] = _by_class(sent) or None
    if Rule.REQUIRED_BY_FORM in given:
        found[Rule.REQUIRED_BY_FORM.value] = _by_form(sent) or None
    if Rule.FORM_PROFILES in given:
        found[Rule.FORM_PROFILES.value] = sent.getlist(Rule.FORM_PROFILES) or None
    return found


def field_of_class(doc_class: str) -> str:
    """Return the name of the boxes of a kind of files."""
    return f"{Rule.REQUIRED.value}.{doc_class}"


def field_of_form(form: str) -> str:
    """Return the name of the boxes of a form."""
    return f"{Rule.REQUIRED_BY_FORM.value}.{form}"


def sent_again(sent: MultiDict[str, str]) -> list[tuple[str, str]]:
    """Return what the form sent as fields of another form, without anything else of an address."""
    ours = {*keys_of(Rule), GIVEN, DIFFERS, FORM_DIFFERS, *map(field_of_class, keys_of(DocClass))}
    ours.update(map(field_of_form, known_forms()))
    return [(name, value) for name, value in sent.items(multi=True) if name in ours]


def _by_form(sent: MultiDict[str, str]) -> dict[str, list[str]]:
    return {key: sent.getlist(field_of_form(key)) for key in sent.getlist(FORM_DIFFERS)}


def _by_class(sent: MultiDict[str, str]) -> dict[str, list[str]]:
    return {key: sent.getlist(field_of_class(key)) for key in sent.getlist(DIFFERS)}
