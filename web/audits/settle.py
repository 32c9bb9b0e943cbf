"""What an auditor sends: typed values, who is right, and that it is to be taken back."""

from __future__ import annotations

import uuid

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from core.errors import InvalidInputError
from core.models import AuditFinding
from services.audits.audit_detail import AuditDetail, audit_detail
from services.audits.settle_audit import Settled, settle_audit, undo_audit
from services.audits.type_values import type_again, type_values
from web.access import access
from web.audits import blueprint
from web.audits.pages import CHOICES, next_url, page_of, page_url
from web.context import get_context, get_person
from web.desk.notices import go_on
from web.desk.version import version_of
from web.i18n import say
from web.labels import field_label
from web.negotiation import wants_json
from web.whole_number import whole_number


@blueprint.post("/<uuid:audit_id>/typed")
@access("overseer")
def typed(audit_id: uuid.UUID) -> ResponseReturnValue:
    """Keep the typed values; show the differences, or the next audit where there are none."""
    item, form = _item(audit_id), request.form
    sent = {field.name: form.get(f"value-{field.name}", "") for field in item.fields}
    try:
        settled = type_values(get_context(), get_person().id, audit_id, version_of(form), sent)
    except InvalidInputError as error:
        if wants_json():
            raise
        return page_of(item, say(error.told), sent), error.http_status
    if not settled:
        return go_on(page_url(item), _("Saved. This is what the machine read."), None)
    return go_on(next_url(), _("All values match what the machine read."), _undo_url(audit_id))


@blueprint.post("/<uuid:audit_id>/settle")
@access("overseer")
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
    return go_on(next_url(), _became(found), _undo_url(audit_id))


@blueprint.post("/<uuid:audit_id>/undo")
@access("overseer")
def undo(audit_id: uuid.UUID) -> ResponseReturnValue:
    undo_audit(get_context(), get_person().id, audit_id)
    flash(_("Undone. The audit is waiting again, with what was typed."), "success")
    return redirect(page_url(_item(audit_id)))


def _item(audit_id: uuid.UUID) -> AuditDetail:
    return audit_detail(get_context(), get_person().id, audit_id)


def _undo_url(audit_id: uuid.UUID) -> str:
    return url_for("audits.undo", audit_id=audit_id)


def _became(found: Settled) -> str:
    if not found.wrong:
        return _("Audited: the machine made no errors.")
    names = ", ".join(field_label(name) for name in found.wrong)
    if found.refused is not None:
        why = say(found.refused.told)
        return _("Audited: wrong in %(names)s. The entry was not corrected: %(why)s.", names=names, why=why)
    return _("Audited: wrong in %(names)s.", names=names)
