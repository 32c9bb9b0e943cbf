"""The list of seasons, the page of one, and the preview of a change of its rules."""

from __future__ import annotations

import uuid

from flask import render_template, request
from flask.typing import ResponseReturnValue

from core.errors import InvalidInputError
from core.labels import keys_of
from pipeline.profiles import ProfileKind, known_forms
from pipeline.profiles.declared import common_fields, derived_fields, fields_of_form, text_fields
from pipeline.schema import DocClass
from pipeline.validation.policy import WaivedBy
from services.policy.history import history
from services.policy.preview import LAST, preview
from services.policy.rules import Rule, policy_by
from services.season_admin.list_seasons import SeasonView, list_seasons, season_view, still_open
from web.access import access
from web.admin import blueprint
from web.admin.seasons.rule_values import by_settings, rule_value
from web.admin.seasons.rules_form import changes_of, field_of_class, field_of_form, sent_again
from web.context import get_context, get_settings
from web.i18n import say
from web.told import typed_lines

#: Entries that a preview names; all are counted.
SHOWN = 50


@blueprint.get("/seasons")
@access("overseer")
def seasons() -> ResponseReturnValue:
    return render_template("admin/seasons/list.html", seasons=list_seasons(get_context()))


@blueprint.get("/seasons/<uuid:season_id>")
@access("overseer")
def season(season_id: uuid.UUID) -> ResponseReturnValue:
    return season_page(season_id)


@blueprint.get("/seasons/<uuid:season_id>/preview")
@access("overseer")
def season_preview(season_id: uuid.UUID) -> ResponseReturnValue:
    """What the change of the address would have done to the entries read last; nothing is changed."""
    context, changes = get_context(), changes_of(request.args)
    found = season_view(context, season_id)
    try:
        seen, after = preview(context, season_id, changes)
    except InvalidInputError as error:
        return season_page(season_id, say(error.told)), error.http_status
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
    )


def season_page(season_id: uuid.UUID, problem: str = "") -> str:
    """Return the page of a season, with why a change was refused. Raises NotFoundError."""
    context = get_context()
    found = season_view(context, season_id)
    rules = policy_by(context.settings, found.rules)
    return render_template(
        "admin/seasons/season.html",
        season=found,
        still=still_open(context, season_id),
        rules=list(Rule),
        defaults=by_settings(get_settings()),
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
        problem=problem,
        typed=typed_lines(),
        office_timezone=get_settings().office_timezone,
    )


def _offered_forms(season: SeasonView) -> list[str]:
    """Return the keys of the forms that the season can be held to, with those that it is held to already."""
    whole = [key for key, profile in known_forms().items() if profile.kind is not ProfileKind.ESSAY_PAGE]
    return list(dict.fromkeys([*whole, *season.rules.get(Rule.FORM_PROFILES, ())]))
