"""Keep what an auditor has typed; from then on the machine's values are shown."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import func

from core.errors import InvalidInputError
from core.models import AuditFinding, AuditStatus
from core.models.leases import AUDIT_HOLDS
from services.audits.same import same
from services.audits.win_audit import fields_of_audit, win_audit
from services.context import Context
from services.entries.apply_decision import cleaned_value
from services.messages.refused import Refused


def type_values(
    context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID, version: int, values: Mapping[str, str | None]
) -> bool:
    """Store the typed values; None for what does not stand on the page. Return whether that settled the audit.

    It does where all are what the machine had. Raises InvalidInputError for an invalid value and a field that is
    not audited, ConflictError or HeldError, saying who was first, and NotFoundError.
    """
    with context.database.session() as session:
        audit = win_audit(session, actor_id, audit_id, version, auditor_id=actor_id, typed_at=func.now())
        fields = fields_of_audit(session, audit_id)
        if unknown := set(values) - {field.name for field in fields}:
            raise InvalidInputError(Refused.NO_SUCH_FIELD, names=sorted(unknown))
        for field in fields:
            field.typed = cleaned_value(field.name, values.get(field.name))
            field.finding = None
        if not all(same(field.name, field.value, field.typed) for field in fields):
            return False
        for field in fields:
            field.finding = AuditFinding.SAME.value
        audit.status, audit.settled_at = AuditStatus.SETTLED.value, audit.typed_at
        AUDIT_HOLDS.end(audit)
        return True


def type_again(context: Context, actor_id: uuid.UUID, audit_id: uuid.UUID, version: int) -> None:
    """Forget what was typed, so that it is typed anew. Raises what `type_values` raises."""
    with context.database.session() as session:
        win_audit(session, actor_id, audit_id, version, auditor_id=None, typed_at=None)
        for field in fields_of_audit(session, audit_id):
            field.typed = field.finding = None
