"""Pages of seasons and their rules."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_decimal, gettext
from werkzeug.datastructures import MultiDict

from core.config import Settings
from core.messages import keys_of
from pipeline.profiles import ProfileKind, common_fields, derived_fields, fields_of_form, known_forms, text_fields
from pipeline.schema import DocClass
from pipeline.validation.policy import DEFAULT_REQUIRED, Policy, WaivedBy
from services.policy import LAST, Rule, change_policy, history, policy_by, preview_policy, undo_policy_change
from services.season_admin.seasons import (
    SeasonView,
    close_season,
    list_seasons,
    open_season,
    roll_over,
    season_view,
    still_open,
)
from web.access import app_settings, get_context, get_person, whole_number
from web.admin import blueprint
from web.i18n import full_day, shown_again
from web.labels import form_label, label, submission_field_label, typed_lines
from web.security.sign_in_guard import recently_confirmed


@blueprint.get("/seasons/<uuid:season_id>", "overseer")
def season(season_id: uuid.UUID, problem: str = "") -> str:
    """Return the page of a season; `problem` says why a change was refused. Raises NotFoundError."""
    context = get_context()
    found = season_view(context, season_id)
    rules = policy_by(context.settings, found.rules)
    return render_template(
        "admin/seasons/season.html",
        season=found,
        still=still_open(context, found),
        rules=list(Rule),
        defaults=by_settings(app_settings()),
        changes=history(context, season_id),
        fields=tuple(common_fields()),
        waived_by=keys_of(WaivedBy),
        may_stay_empty=[name for name in common_fields() if name not in text_fields() | derived_fields()],
        classes=keys_of(DocClass),
        forms=_offered_forms(found),
        required_by_form={
            key: rules.required_for(None, key)
            for key, profile in known_forms().items()
            if profile.kind is ProfileKind.FORM
        },
        fields_of_form=fields_of_form,
        field_of_form=field_of_form,
        field_of_class=field_of_class,
        rule_value=rule_value,
        agreement_hint=agreement_hint(app_settings()),
        problem=problem,
        typed=typed_lines(),
        office_timezone=app_settings().office_timezone,
    )


#: Shows the page of a season again.
_again = shown_again(lambda season_id, problem, **_: season(season_id, problem))

# Change a season: change its rules, open, close or roll it over, and undo a change of rules.


@blueprint.post("/seasons/<uuid:season_id>/rules", "admin")
@recently_confirmed
@_again
def change_rules(season_id: uuid.UUID) -> ResponseReturnValue:
    change_policy(get_context(), get_person().id, season_id, sent_changes(request.form), _version())
    return _done(season_id, gettext("The rules were changed. They apply to every entry read from now on."))


@blueprint.post("/seasons/<uuid:season_id>/changes/<uuid:change_id>/undo", "admin")
@recently_confirmed
@_again
def undo_rules(season_id: uuid.UUID, change_id: uuid.UUID) -> ResponseReturnValue:
    undo_policy_change(get_context(), get_person().id, change_id)
    return _done(season_id, gettext("The change was undone."))


@blueprint.post("/seasons/<uuid:season_id>/open", "admin")
@recently_confirmed
@_again
def open_one(season_id: uuid.UUID) -> ResponseReturnValue:
    open_season(get_context(), get_person().id, season_id, _version())
    return _done(season_id, gettext("The season is open. The site shows its entries."))


@blueprint.post("/seasons/<uuid:season_id>/close", "admin")
@recently_confirmed
@_again
def close_one(season_id: uuid.UUID) -> ResponseReturnValue:
    close_season(get_context(), get_person().id, season_id, _version())
    return _done(season_id, gettext("The season is closed. Nothing more can be uploaded."))


@blueprint.post("/seasons/<uuid:season_id>/roll-over", "admin")
@recently_confirmed
@_again
def begin_next(season_id: uuid.UUID) -> ResponseReturnValue:
    name = request.form.get("name", "")
    following = roll_over(get_context(), get_person().id, season_id, name, _version())
    return _done(following, gettext("The new season is open, with the schools and rules of the previous one."))


def _version() -> int | None:
    return request.form.get("version", type=whole_number)


def _done(season_id: uuid.UUID, sentence: str) -> ResponseReturnValue:
    flash(sentence, "success")
    return redirect(url_for("admin.season", season_id=season_id))


# The list of seasons, and the preview of a change of the rules of one.


#: Entries that a preview names; all are counted.
SHOWN = 50


@blueprint.get("/seasons", "overseer")
def seasons() -> ResponseReturnValue:
    return render_template("admin/seasons/list.html", seasons=list_seasons(get_context()))


@blueprint.get("/seasons/<uuid:season_id>/preview", "overseer")
@_again
def season_preview(season_id: uuid.UUID) -> ResponseReturnValue:
    """Show what the change in the URL would have done to the entries read last; nothing is changed."""
    context, changes = get_context(), sent_changes(request.args)
    found = season_view(context, season_id)
    seen, after = preview_policy(context, season_id, changes)
    changed = [key for key in keys_of(Rule) if found.rules.get(key) != after.get(key)]
    return render_template(
        "admin/seasons/preview.html",
        season=found,
        changed=changed,
        after=after,
        seen=seen,
        last=LAST,
        shown=SHOWN,
        sent=sent_again(request.args),
        rule_value=rule_value,
        hint=agreement_hint(app_settings()) if Rule.AGREED_COMPLETES.value in changed else "",
    )


def _offered_forms(season: SeasonView) -> list[str]:
    """Return the keys of the forms that the season can be limited to, with those it is limited to already."""
    whole = [key for key, profile in known_forms().items() if profile.kind is not ProfileKind.ESSAY_PAGE]
    return list(dict.fromkeys([*whole, *season.rules.get(Rule.FORM_PROFILES, ())]))


# The value of a rule in words.


def agreement_hint(settings: Settings) -> str:
    """Return what the rule on agreement means, and that it has no effect while no vision model is set up."""
    meaning = gettext(
        "A value that the recognizer and the vision model both read counts as sure. What only the vision model "
        "read never completes an entry."
    )
    if settings.vision_model is not None:
        return meaning
    return f"{meaning} {gettext('No vision model is set up, so the rule has no effect now.')}"


def rule_value(value: Any, key: str) -> str:
    """Return the value of a rule, or of a date set by opening or closing, in the language of the request."""
    if value is None:
        by_setting = key in {rule.value for rule in Rule} - {Rule.DEADLINE.value}
        return gettext("from the settings") if by_setting else "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int | float):
        return str(format_decimal(value))
    if key == Rule.FORM_PROFILES:
        return ", ".join(form_label(form) for form in value)
    if key == Rule.WAIVED_BY:
        return label(WaivedBy, value)
    if isinstance(value, list):
        return ", ".join(map(submission_field_label, value)) or gettext("none")
    if key == Rule.REQUIRED_BY_FORM:
        return "; ".join(f"{form_label(form)}: {rule_value(fields, '')}" for form, fields in value.items())
    if isinstance(value, dict):
        return "; ".join(f"{label(DocClass, kind)}: {rule_value(fields, key)}" for kind, fields in value.items())
    return full_day(date.fromisoformat(value)) if key in ("ends_on", Rule.DEADLINE) else str(value)


def by_settings(settings: Settings) -> dict[str, Any]:
    """Return the defaults for the rules that a season does not set, by the keys of `Rule`."""
    policy: Policy = policy_by(settings, {})
    values = policy.model_dump(mode="json", include={rule.value for rule in Rule})
    return {**values, Rule.RETENTION_DAYS.value: settings.retention_days}


# The form of a season's rules: its values, from a URL or a form, become a change.


#: Rules that are sent as lists of checked boxes.
_LISTS = (Rule.DEFAULT_REQUIRED, Rule.MAY_STAY_EMPTY, Rule.REQUIRED, Rule.REQUIRED_BY_FORM, Rule.FORM_PROFILES)
#: Names the lists that a form has: boxes that are not checked are not sent.
GIVEN = "given"
#: Names the kinds of files that have required fields of their own.
DIFFERS = "differs"
#: Names the forms for which the season requires other fields than the form itself.
FORM_DIFFERS = "form_differs"


def sent_changes(sent: MultiDict[str, str]) -> dict[str, Any]:
    """Return the changes that were sent, by the keys of `Rule`; None resets a rule to the settings.

    A rule that was not sent does not change. The use case validates the values.
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
    return f"{Rule.REQUIRED.value}.{doc_class}"


def field_of_form(form: str) -> str:
    return f"{Rule.REQUIRED_BY_FORM.value}.{form}"


def sent_again(sent: MultiDict[str, str]) -> list[tuple[str, str]]:
    """Return the sent rules as fields of another form, without other parameters of the URL."""
    ours = {*keys_of(Rule), GIVEN, DIFFERS, FORM_DIFFERS, *map(field_of_class, keys_of(DocClass))}
    ours.update(map(field_of_form, known_forms()))
    return [(name, value) for name, value in sent.items(multi=True) if name in ours]


def _by_form(sent: MultiDict[str, str]) -> dict[str, list[str]]:
    return {key: sent.getlist(field_of_form(key)) for key in sent.getlist(FORM_DIFFERS)}


def _by_class(sent: MultiDict[str, str]) -> dict[str, list[str]]:
    return {key: sent.getlist(field_of_class(key)) for key in sent.getlist(DIFFERS)}
