"""The desk as the tests drive it."""

from __future__ import annotations

import uuid
from datetime import timedelta

from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import Base, ReviewSuggestion, Submission
from services.context import Context
from tests.support.review import desk


def proposals(context: Context, *names: str) -> list[str]:
    """The addresses of one proposal a name, in the order of the queue."""
    made = []
    for name in names:
        with context.database.session() as session:
            entry = desk.make_proposal(context, session, student=name)
            assert entry.suggestion is not None
            made.append(f"/review/suggestions/{entry.suggestion.id}")
    return made


def doubtful(context: Context, name: str, preferred: str = "as_read") -> str:
    """The address of a proposal whose second reading of the school is the worse one."""
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session, student=name, preferred=preferred)
    assert entry.suggestion is not None
    return f"/review/suggestions/{entry.suggestion.id}"


def escalation(context: Context) -> str:
    """The address of an escalation whose grade is missing."""
    with context.database.session() as session:
        entry = desk.make_escalated(context, session)
    assert entry.escalation is not None
    return f"/review/escalations/{entry.escalation.id}/of/{entry.submission.id}"


def arrived_at(page: Page, name: str) -> None:
    """The item is shown and its keys work."""
    expect(page.locator("h1")).to_have_text(name)
    expect(page.locator(".key-hint").first).to_be_visible()


def decided(page: Page, name: str) -> None:
    """The server has taken the decision; the next item may have been shown before."""
    expect(page.get_by_text(f"{name}: complete.")).to_be_visible()


def statuses(context: Context) -> dict[str | None, str]:
    """How each entry stands, by name."""
    return {row.student_name: row.status for row in context.database.scalars(select(Submission))}


def schools(context: Context) -> dict[str | None, str | None]:
    """The school of each entry, by name."""
    return {row.student_name: row.school_name for row in context.database.scalars(select(Submission))}


def holder(context: Context) -> uuid.UUID | None:
    """Who has the only proposal open."""
    return context.database.one(select(ReviewSuggestion.claimed_by))


def run_out(context: Context, item: type[Base] = ReviewSuggestion) -> None:
    """Let the time of every hold be over."""
    context.database.execute(update(item).values(claimed_until=utcnow() - timedelta(seconds=1)))
