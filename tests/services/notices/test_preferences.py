"""What a person wants to hear of by mail."""

from __future__ import annotations

import uuid

import pytest

from core.errors import NotFoundError
from core.models import USUAL_NOTICES, NoticeKind
from services.context import Context
from services.mails.notices import choose_notices, notice_choices
from tests.support import factories


def test_who_has_not_chosen_hears_the_usual(context: Context) -> None:
    with context.database.session() as session:
        person = factories.make_profile(session).id
        other = factories.make_profile(session).id
    assert notice_choices(context, person) == USUAL_NOTICES
    choose_notices(context, person, [NoticeKind.ANY_BATCH_WAITS])
    assert notice_choices(context, person) == {NoticeKind.ANY_BATCH_WAITS}
    choose_notices(context, person, [])
    assert notice_choices(context, person) == frozenset()
    assert notice_choices(context, other) == USUAL_NOTICES


def test_an_unknown_person(context: Context) -> None:
    with pytest.raises(NotFoundError):
        choose_notices(context, uuid.uuid4(), [])
