"""Errors that end a report's research early."""

from __future__ import annotations

from typing import ClassVar

from core.errors import AppError, ModelError
from core.messages import MessageCode
from research.codes import ResearchCode


class BudgetSpentError(ModelError):
    """A model call would exceed the budget; callers continue by rule, as without a model."""

    code: ClassVar[MessageCode] = ResearchCode.BUDGET_SPENT


class CancelRequestedError(AppError):
    """A person requested that the report stop; what was found is kept."""

    code: ClassVar[MessageCode] = ResearchCode.CANCELLED
    http_status = 409
