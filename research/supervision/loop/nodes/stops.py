"""Translate errors and stops into state; none of them is an approval."""

from __future__ import annotations

from core.errors import AppError, LeaseLostError
from core.log import get_logger
from core.messages import Message
from research.stops import BudgetSpentError, CancelRequestedError
from research.supervision.loop.context import InvalidDecisionError
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Ended, Outcome

log = get_logger(__name__)


def after_error(error: AppError, step: str) -> SupervisionState:
    """End the loop for a spent budget, a cancellation or an invalid decision; else fail the attempt.

    Raises the error again if another worker has taken over.
    """
    if isinstance(error, LeaseLostError):
        raise error
    if isinstance(error, BudgetSpentError):
        return {"ended_because": Ended.BUDGET.value}
    if isinstance(error, CancelRequestedError):
        return {"ended_because": Ended.CANCELLED.value}
    log.warning("supervision_step_failed", step=step, code=error.code, detail=error.detail)
    if isinstance(error, InvalidDecisionError):
        return {"ended_because": Ended.INVALID_DECISION.value, "error_code": str(error.code)}
    return {
        "outcome": Outcome.FAILED.value,
        "error_code": str(error.code),
        "reasons": [Message(str(error.code)).to_json()],
    }
