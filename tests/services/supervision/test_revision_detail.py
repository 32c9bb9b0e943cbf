"""One revision in full."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.errors import NotFoundError
from core.models import ReportRevision, ReportSource
from lab.bench.statements import listed
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


def test_all_that_is_quoted_is_asked_for_at_once(context: Context, revision_id: uuid.UUID) -> None:
    detail = revision_detail(context, revision_id)
    assert detail.proposed is not None
    with listed(context.database.engine) as of_one:
        quoted_sources(context, detail)
    with context.database.session() as session:
        session.delete(session.get_one(ReportSource, (detail.report_id, "marlow2021")))
    markers = "[@marlow2021] [@okafor2019#c99] [@nobody#c1] [@hale2018#c9] [@okafor2019]"
    sections = (detail.proposed.sections[0].model_copy(update={"body": markers}),)
    proposed = detail.proposed.model_copy(update={"sections": sections})
    with listed(context.database.engine) as of_many:
        panels = quoted_sources(context, replace(detail, proposed=proposed))
    shown = [(one.key, one.status, one.claim.claim_id if one.claim else None) for one in panels]
    assert shown == [
        ("marlow2021", "listed", None),
        ("okafor2019", "read", None),
        ("hale2018", "read", "c9"),
        ("okafor2019", "read", None),
    ]
    assert [one.excerpt.lit if one.excerpt else None for one in panels] == [None, "", NEW_QUOTE, ""]
    assert len(of_many) == len(of_one) + 1, "one more for what is only in the list of references"


def test_there_is_none(context: Context) -> None:
    with pytest.raises(NotFoundError):
        revision_detail(context, uuid.uuid4())
