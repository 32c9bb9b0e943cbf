"""One revision in full."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import select

from core.errors import NotFoundError
from core.models import ReportRevision
from services.context import Context
from services.reports.source_panel import source_panel
from services.supervision.revisions import decide_revision, quoted_sources, revision_detail
from tests.support.factories import make_profile
from tests.support.research.supervisions import NEW_QUOTE, make_waiting_supervision


@pytest.fixture
def revision_id(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        loop = make_waiting_supervision(session)
        pending = select(ReportRevision.id).where(ReportRevision.supervision_id == loop.id)
        return session.scalars(pending.where(ReportRevision.status == "pending")).one()


def test_before_and_after(context: Context, revision_id: uuid.UUID) -> None:
    detail = revision_detail(context, revision_id)
    assert detail.pending and detail.after == detail.proposed and detail.edited is None
    assert [one.key for one in detail.sources] == ["hale2018"]
    assert "[@hale2018#c9]" not in detail.before.sections[0].body


def test_the_new_quotation_is_lit_before_and_after_it_is_accepted(
    context: Context, revision_id: uuid.UUID
) -> None:
    detail = revision_detail(context, revision_id)
    (panel,) = quoted_sources(context, detail)
    assert panel.excerpt is not None and panel.excerpt.lit == NEW_QUOTE
    with pytest.raises(NotFoundError):
        source_panel(context, detail.report_id, "hale2018", "c9")
    with context.database.session() as session:
        person = make_profile(session, "officer").id
    decide_revision(context, person, revision_id, detail.version, "accepted")
    (panel,) = quoted_sources(context, revision_detail(context, revision_id))
    assert panel.excerpt is not None and panel.excerpt.lit == NEW_QUOTE
    assert source_panel(context, detail.report_id, "hale2018", "c9").claim is not None


def test_there_is_none(context: Context) -> None:
    with pytest.raises(NotFoundError):
        revision_detail(context, uuid.uuid4())
