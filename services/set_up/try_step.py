"""Try a step by the check of the doctor that is for it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping

from core.errors import NotFoundError
from core.messages import Message
from core.models import SetUpKey
from services.context import Context
from services.doctor.findings import Finding, Severity
from services.doctor.try_model import try_model
from services.doctor.try_store import try_store
from services.messages.set_up import SetUpTold
from services.set_up.note_step import note_finding

_CHECKS: Mapping[SetUpKey, Callable[[Context], Iterable[Finding]]] = {
    SetUpKey.MODEL: try_model,
    SetUpKey.STORAGE: try_store,
}


def try_step(context: Context, actor_id: uuid.UUID, step: SetUpKey) -> Finding:
    """Try the step, note what was found and return it: of several findings what must be put right.

    Raises NotFoundError for a step that has no check.
    """
    check = _CHECKS.get(step)
    if check is None:
        raise NotFoundError("this step has no check")
    return note_finding(context, actor_id, step, min(check(context), key=lambda finding: finding.order))


def choose_rules_alone(context: Context, actor_id: uuid.UUID) -> None:
    """Settle the step of the model without one. Raises NotFoundError where a model is configured."""
    if context.settings.model_configured:
        raise NotFoundError("a model is configured")
    finding = Finding(Severity.FINE, Message.of(SetUpTold.RULES_ALONE))
    note_finding(context, actor_id, SetUpKey.MODEL, finding)
