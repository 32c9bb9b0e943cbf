"""Changes of a season's rules: checked, kept with their author, taken back, and never lost to another's."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import ProgrammingError

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import PolicyChange, Season, SecurityEvent
from pipeline.profiles import form_profiles
from services.context import Context
from services.policy import change_policy, history, rules_of, undo_policy_change
from services.seasons import season_policy
from tests.support import factories
from tests.support.site import person

FORMS = [form.key for form in form_profiles()]


@pytest.fixture
def season_id(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return factories.make_season(session).id


def rules(context: Context, season_id: uuid.UUID) -> dict[str, Any]:
    return rules_of(context.database.get_one(Season, season_id))


def test_a_change_is_in_force_and_told(context: Context, season_id: uuid.UUID) -> None:
    admin = person(context, "admin", display_name="Ida Berg")
    changes = {
        "complete_confidence": "0.93",
        "required": {"SINGLE_SCANNED": ["student_name"]},
        "retention_days": 90,
    }
    change = change_policy(context, admin.id, season_id, changes, version=1)
    assert (change.version, change.before["complete_confidence"], change.after["retention_days"]) == (2, None, 90)
    with context.database.session() as session:
        policy = season_policy(session, season_id, context.settings)
        season = session.get_one(Season, season_id)
        event = session.scalars(select(SecurityEvent)).one()
    assert (policy.complete_confidence, season.retention_days, season.version) == (0.93, 90, 2)
    assert policy.required_for(next(iter(policy.required))) == ("student_name",)
    assert (event.kind, event.actor_id) == ("policy_changed", admin.id)
    assert event.details["rules"] == ["complete_confidence", "required", "retention_days"]
    (told,) = history(context, season_id)
    assert (told.actor, told.kind, told.may_undo) == ("Ida Berg", "changed", True)


def test_taken_back_once_and_again(context: Context, season_id: uuid.UUID) -> None:
    change_policy(context, None, season_id, {"min_essay_words": 30})
    change = change_policy(context, None, season_id, {"min_essay_words": 40, "form_profiles": FORMS[:1]})
    undone = undo_policy_change(context, None, change.id)
    assert rules(context, season_id) == {"min_essay_words": 30}
    assert [one.may_undo for one in history(context, season_id)] == [True, False, True]
    assert history(context, season_id)[1].undone_by == undone.version
    with pytest.raises(ConflictError, match="already been undone"):
        undo_policy_change(context, None, change.id)
    undo_policy_change(context, None, undone.id)
    assert rules(context, season_id) == {"min_essay_words": 40, "form_profiles": FORMS[:1]}


def test_what_was_changed_again_is_not_taken_back(context: Context, season_id: uuid.UUID) -> None:
    first = change_policy(context, None, season_id, {"min_essay_words": 30})
    change_policy(context, None, season_id, {"min_essay_words": 40})
    with pytest.raises(ConflictError, match="Minimum words in an essay"):
        undo_policy_change(context, None, first.id)
    assert rules(context, season_id) == {"min_essay_words": 40}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"complete_confidence": 1.2}, "not allowed: Confidence at which"),
        ({"complete_confidence": "nan"}, "not allowed"),
        ({"complete_confidence": "much"}, "not allowed"),
        ({"min_essay_words": -1, "max_steps": 0}, "Minimum words in an essay, Maximum steps in one run"),
        ({"default_required": ["grdae"]}, "not a field that entries have"),
        ({"required": {"NO_CLASS": []}}, "not allowed: Required fields for some"),
        ({"form_profiles": ["no_form"]}, "no such form: no_form"),
        ({"retention_days": 0}, "not allowed: Days"),
        ({"retention_days": "1.5"}, "not allowed: Days"),
        ({"known_schools": {"A": []}}, "no such rule: known_schools"),
        ({"complete_confidence": None}, "Nothing changes"),
        ({}, "Nothing changes"),
    ],
    ids=str,
)
def test_what_is_not_possible_changes_nothing(
    context: Context, season_id: uuid.UUID, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInputError, match=said):
        change_policy(context, None, season_id, changes)
    with context.database.session() as session:
        assert (session.query(PolicyChange).count(), session.query(SecurityEvent).count()) == (0, 0)
        assert session.get_one(Season, season_id).version == 1


def test_of_two_at_once_one_is_told(context: Context, season_id: uuid.UUID) -> None:
    def change(words: int) -> str:
        try:
            change_policy(context, None, season_id, {"min_essay_words": words}, version=1)
        except ConflictError as error:
            return error.detail
        return "done"

    with ThreadPoolExecutor(2) as people:
        said = sorted(people.map(change, (10, 20)))
    assert said == ["done", "the rules of the season have changed since you opened this page"]


def test_what_does_not_exist(context: Context) -> None:
    with pytest.raises(NotFoundError):
        change_policy(context, None, uuid.uuid4(), {"min_essay_words": 10})
    with pytest.raises(NotFoundError):
        undo_policy_change(context, None, uuid.uuid4())


@pytest.mark.parametrize("statement", ["update policy_changes set actor_id = null", "delete from policy_changes"])
def test_the_record_only_grows(context: Context, season_id: uuid.UUID, statement: str) -> None:
    change_policy(context, None, season_id, {"min_essay_words": 10})
    with pytest.raises(ProgrammingError, match="only grows"), context.database.session() as session:
        session.execute(text(statement))
