"""Pages of audits: the queue, one entry beside its scanned page, and the settling."""

from __future__ import annotations

import uuid
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from core.errors import InvalidInputError
from core.messages import keys_of
from core.models import AuditFinding, AuditStatus, SecurityEventKind
from services.audits import (
    COUNT_LIMIT,
    AuditDetail,
    SettledAudit,
    audit_detail,
    audit_queue,
    next_audit,
    settle_audit,
    type_again,
    type_values,
    undo_audit,
)
from services.items.holds import hold_of
from services.trust.audit_sample import current_share
from web.access import Area, get_context, get_person, wants_json, whole_number
from web.decision_pages import Binding, go_on, offer_holds, open_at, take_notice, version_of
from web.i18n import say
from web.labels import submission_field_label
from web.security.requests import viewed

blueprint = Area("audits", __name__, url_prefix="/audits")


@blueprint.context_processor
def _of_the_desk() -> dict[str, Any]:
    """Return the template variables of every page of audits."""
    return {"bindings": BINDINGS, "take_notice": take_notice}


# An auditor's forms: typed values, findings, and undo.


@blueprint.post("/<uuid:audit_id>/typed", "overseer")
def typed(audit_id: uuid.UUID) -> ResponseReturnValue:
    """Save the typed values; show the differences, or the next audit if there are none."""
    item, form = _item(audit_id), request.form
    sent = {field.name: form.get(f"value-{field.name}", "") for field in item.fields}
    try:
        settled = type_values(get_context(), get_person().id, audit_id, version_of(form), sent)
    except InvalidInputError as error:
        if wants_json():
            raise
        return audit_page(item, say(error.told), sent), error.http_status
    if not settled:
        return go_on(page_url(item), _("Saved. This is what the machine read."), None)
    return go_on(next_audit_url(), _("All values match what the machine read."), _undo_url(audit_id))


@blueprint.post("/<uuid:audit_id>/settle", "overseer")
def settle(audit_id: uuid.UUID) -> ResponseReturnValue:
    """Settle the audit with a finding for each field that differs, or go back to typing."""
    item, form, context, actor = _item(audit_id), request.form, get_context(), get_person().id
    if form.get("decide") == "again":
        type_again(context, actor, audit_id, version_of(form))
        return go_on(page_url(item), _("What was typed was discarded."), None)
    findings = {field.name: form.get(f"finding-{field.name}") for field in item.fields}
    found = settle_audit(
        context,
        actor,
        audit_id,
        version_of(form),
        {name: AuditFinding(key) for name, key in findings.items() if key in CHOICES},
        [field.name for field in item.fields if form.get(f"correct-{field.name}")],
        form.get("entry_version", type=whole_number) or 0,
    )
    return go_on(next_audit_url(), _became(found), _undo_url(audit_id))


@blueprint.post("/<uuid:audit_id>/undo", "overseer")
def undo(audit_id: uuid.UUID) -> ResponseReturnValue:
    undo_audit(get_context(), get_person().id, audit_id)
    flash(_("Undone. The audit is waiting again, with what was typed."), "success")
    return redirect(page_url(_item(audit_id)))


def _item(audit_id: uuid.UUID) -> AuditDetail:
    return audit_detail(get_context(), get_person().id, audit_id)


def _undo_url(audit_id: uuid.UUID) -> str:
    return url_for("audits.undo", audit_id=audit_id)


def _became(found: SettledAudit) -> str:
    if not found.wrong:
        return _("Audited: the machine made no errors.")
    names = ", ".join(submission_field_label(name) for name in found.wrong)
    if found.refused is not None:
        why = say(found.refused.told)
        return _("Audited: wrong in %(names)s. The entry was not corrected: %(why)s.", names=names, why=why)
    return _("Audited: wrong in %(names)s.", names=names)


offer_holds(
    blueprint, "audit", "overseer", "/<uuid:audit_id>", lambda audit_id: page_url(_item(audit_id)), lambda _: None
)


# The queue of audits and the page of one.


#: What an auditor may find about a field that differs.
CHOICES = tuple(key for key in keys_of(AuditFinding) if key != AuditFinding.SAME)


@blueprint.get("", "overseer")
def index() -> ResponseReturnValue:
    context = get_context()
    return render_template(
        "audits/index.html",
        queue=audit_queue(context, get_person().id),
        count_limit=COUNT_LIMIT,
        share=current_share(context),
    )


@blueprint.get("/next", "overseer")
def start() -> ResponseReturnValue:
    """Go to the oldest waiting audit, or to the queue if none waits."""
    return redirect(next_audit_url())


@blueprint.get("/<uuid:audit_id>/of/<uuid:submission_id>", "overseer")
@viewed(SecurityEventKind.SUBMISSION_VIEWED)
def audit(audit_id: uuid.UUID, submission_id: uuid.UUID) -> ResponseReturnValue:
    item = _item(audit_id)
    if item.submission_id != submission_id:
        return redirect(page_url(item))
    return audit_page(item)


def audit_page(item: AuditDetail, problem: str | None = None, typed: dict[str, str] | None = None) -> str:
    """Return the page of an audit; with `problem`, it shows the typed values."""
    standing = hold_of(get_context(), get_person().id, "audit", item.id)
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
    return url_for("audits.audit", audit_id=item.id, submission_id=item.submission_id)


def next_audit_url() -> str:
    """Return the URL of the oldest waiting audit; if none waits, flash a notice and return that of the queue."""
    found = next_audit(get_context(), get_person().id)
    if found is None:
        flash(_("No entries are waiting for an audit."), "success")
        return url_for("audits.index")
    return url_for("audits.audit", audit_id=found[0], submission_id=found[1])


# Keyboard shortcuts of an audit; the action names are those of the review pages, so custom keys apply here too.


BINDINGS = (
    Binding("approve", "a", _l("Continue with what was typed or chosen")),
    Binding("edit", "e", _l("Edit the current field")),
    Binding("undo", "u", _l("Undo the last audit")),
    Binding("help", "?", _l("Show these keys")),
)
