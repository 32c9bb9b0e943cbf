"""What ends a report's research before its time."""

from __future__ import annotations

from core.errors import AppError, ModelError


class BudgetSpentError(ModelError):
    """A model call would go over the budget; whoever asks goes on by rule, as without a model."""

    code = "budget_spent"
    help_message = "The report's budget is spent. It is written from what was found until then."


class CancelRequestedError(AppError):
    """A person asked for the report to stop; what was found stays."""

    code = "cancelled"
    help_message = "The report was stopped. What was found until then is kept."
    http_status = 409
