"""Seasons are opened, closed and followed by others: at most one is open, and nothing of them is lost."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import Profile, School, SchoolAlias, Season, Submission
from services.context import Context
from services.policy import change_policy, history
from services.season_admin.seasons import close_season, list_seasons, open_season, roll_over, season_view
from services.seasons import current_season, school_list
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.review import desk
from tests.support.site import person


@pytest.fixture
def season_id(context: Context) -> uuid.UUID:
    """A season with an entry and two schools."""
    with context.database.session() as session:
        school = factories.make_school(session, name="Juniper Hill", city="Amberly")
        factories.make_school_alias(session, school, "J.H.")
        factories.make_school(session, name="Foxglove")
        return factories.make_submission(session).season_id


def current(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return current_season(session).id


def test_nothing_is_handed_in_for_a_closed_season(context: Context, season_id: uuid.UUID) -> None:
    owner, file = person(context, "uploader"), IncomingFile("entry.pdf", desk.entry_pdf())
    batch = submit_files(context, owner.id, [file])
    close_season(context, None, season_id)
    found = season_view(context, season_id)
    assert (found.is_open, found.is_current, found.ends_on) == (False, True, utcnow().date())
    for into in (None, batch):
        with pytest.raises(InvalidInputError, match="is closed: it accepts no uploads"):
            submit_files(context, owner.id, [file], batch_id=into)
    assert current(context) == season_id
    with pytest.raises(ConflictError, match="is closed"):
        close_season(context, None, season_id)
    open_season(context, None, season_id)
    assert season_view(context, season_id).ends_on is None
    assert submit_files(context, owner.id, [file], batch_id=batch) == batch


def test_the_next_season_has_schools_and_rules_and_no_entries(context: Context, season_id: uuid.UUID) -> None:
    admin = person(context, "admin", display_name="Ida Berg")
    change_policy(context, admin.id, season_id, {"complete_confidence": 0.95, "retention_days": 100})
    following = roll_over(context, admin.id, season_id, "  Autumn   2027 ")
    now, before = list_seasons(context)
    assert (now.id, now.name, now.is_open, now.starts_on) == (following, "Autumn 2027", True, utcnow().date())
    assert (before.is_open, before.is_current, before.ends_on) == (False, False, utcnow().date())
    assert now.rules == before.rules == {"complete_confidence": 0.95, "retention_days": 100}
    with context.database.session() as session:
        assert school_list(session, following) == {"Foxglove": [], "Juniper Hill": ["J.H."]}
        assert (session.query(School).count(), session.query(SchoolAlias).count()) == (4, 2)
        assert session.query(Submission).filter_by(season_id=following).count() == 0
        assert session.query(Profile).filter_by(is_active=True).count() == session.query(Profile).count()
    assert [one.kind for one in history(context, season_id)] == ["closed", "rolled_over", "changed"]
    assert {one.actor for one in history(context, following)} == {"Ida Berg"}
    open_season(context, admin.id, season_id)
    assert [(one.id, one.is_open) for one in list_seasons(context)] == [(season_id, True), (following, False)]


def test_an_end_that_was_set_stays(context: Context, season_id: uuid.UUID) -> None:
    ended = utcnow().date() - timedelta(days=3)
    with context.database.session() as session:
        session.get_one(Season, season_id).ends_on = ended
    close_season(context, None, season_id)
    assert season_view(context, season_id).ends_on == ended


@pytest.mark.parametrize(
    ("name", "said"),
    [(" ", "a name of at most 100"), ("x" * 101, "at most 100"), ("autumn 2026", "with this name")],
)
def test_a_name_that_does_not_fit_changes_nothing(
    context: Context, season_id: uuid.UUID, name: str, said: str
) -> None:
    with context.database.session() as session:
        session.get_one(Season, season_id).name = "Autumn 2026"
    with pytest.raises(InvalidInputError, match=said):
        roll_over(context, None, season_id, name)
    assert [one.version for one in list_seasons(context)] == [1]


def test_what_has_changed_meanwhile_or_does_not_exist(context: Context, season_id: uuid.UUID) -> None:
    change_policy(context, None, season_id, {"max_steps": 4})
    for refused in (close_season, open_season):
        with pytest.raises(ConflictError):
            refused(context, None, season_id, 1)
        with pytest.raises(NotFoundError):
            refused(context, None, uuid.uuid4())
    with pytest.raises(ConflictError, match="have changed since"):
        roll_over(context, None, season_id, "Next", 1)
    with pytest.raises(ConflictError, match="already open"):
        open_season(context, None, season_id)
