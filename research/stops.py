"""What ends a report's research before its time."""

from __future__ import annotations

from typing import ClassVar

from core.errors import AppError, ModelError
from core.messages import MessageCode
from research.codes import ResearchCode


class BudgetSpentError(ModelError):
    """A model call would go over the budget; whoever asks goes on by rule, as without a model."""

    code: ClassVar[MessageCode] = ResearchCode.BUDGET_SPENT


class CancelRequestedError(AppError):
    """A person asked for the report to stop; what was found stays."""

    code: ClassVar[MessageCode] = ResearchCode.CANCELLED
    http_status = 409
