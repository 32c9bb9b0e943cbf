"""The queue of audits and the page of one."""

from __future__ import annotations

import uuid

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.labels import keys_of
from core.models import AuditFinding, AuditStatus, SecurityEventKind
from services.audits.audit_detail import AuditDetail, audit_detail
from services.audits.list_audits import COUNT_LIMIT, audit_queue, next_audit
from services.review.standing_hold import standing_hold
from services.trust.draw_audit import current_share
from web.access import access
from web.audits import blueprint
from web.context import get_context, get_person
from web.desk.holds import open_at
from web.security.viewed import viewed

#: What an auditor may find about a field that differs.
CHOICES = tuple(key for key in keys_of(AuditFinding) if key != AuditFinding.SAME)


@blueprint.get("")
@access("overseer")
def index() -> ResponseReturnValue:
    context = get_context()
    return render_template(
        "audits/index.html",
        queue=audit_queue(context, get_person().id),
        count_limit=COUNT_LIMIT,
        share=current_share(context),
    )


@blueprint.get("/next")
@access("overseer")
def start() -> ResponseReturnValue:
    """Go to the audit that waits longest, or to the queue where none does."""
    return redirect(next_url())


@blueprint.get("/<uuid:audit_id>/of/<uuid:submission_id>")
@access("overseer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def audit(audit_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    item = audit_detail(get_context(), get_person().id, audit_id)
    if item.submission_id != submission_id:
        return redirect(page_url(item))
    return page_of(item)


def page_of(item: AuditDetail, problem: str | None = None, typed: dict[str, str] | None = None) -> str:
    """Return the page of an audit; with a problem, as it was typed."""
    standing = standing_hold(get_context(), get_person().id, "audit", item.id)
    return render_template(
        "audits/audit.html",
        item=item,
        pending=item.status == AuditStatus.PENDING,
        choices=CHOICES,
        problem=problem,
        typed=typed or {},
        held=open_at(standing.holder_name, standing.until) if standing and not standing.mine else None,
    )


def page_url(item: AuditDetail) -> str:
    """Return the address of an audit's page."""
    return url_for("audits.audit", audit_id=item.id, submission_id=item.submission_id)


def next_url() -> str:
    """Return the address of the audit that waits longest, or of the queue, with a notice, where none does."""
    found = next_audit(get_context(), get_person().id)
    if found is None:
        flash(_("No entries are waiting for an audit."), "success")
        return url_for("audits.index")
    return url_for("audits.audit", audit_id=found[0], submission_id=found[1])
