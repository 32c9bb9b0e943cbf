"""Message codes of research errors, and the errors that end a report's research early."""

from __future__ import annotations

from typing import ClassVar

from core.errors import AppError, ModelError
from core.messages import MessageCode


class ResearchCode(MessageCode):
    """Research errors and their consequences for the report."""

    INVALID_DECISION = "invalid_decision", "The analysis could not be used. The document was not changed."
    BUDGET_SPENT = (
        "budget_spent",
        "The report's budget is used up. The report is written from what had been found.",
    )
    CANCELLED = "cancelled", "The report was stopped. Everything found so far is kept."
    TIER_UNKNOWN = "tier_unknown", "There is no level called %(given)s. Choose one of: %(known)s."
    FORMAT_UNKNOWN = "format_unknown", "There is no format %(given)s. Choose one of: %(known)s."
    NO_DECISION = "no_decision", "There is no decision on a revision for the supervision to continue from."
    SOURCE_FAILED = "source_failed", "A source could not be reached. The report continues with the others."
    SOURCE_UNAVAILABLE = (
        "source_unavailable",
        "A source is not responding. The report continues with the others.",
    )
    SOURCE_REFUSED = ("source_refused", "A source rejected the request. Check its key and quota in the settings.")
    SOURCE_WITHOUT_TEXT = "source_without_text", "A source has no readable text."
    SOURCE_FORBIDDEN = (
        "source_forbidden",
        "An address was not opened because it is private or on an excluded domain.",
    )


class BudgetSpentError(ModelError):
    """A model call would exceed the budget; callers continue as without a model."""

    code: ClassVar[MessageCode] = ResearchCode.BUDGET_SPENT


class CancelRequestedError(AppError):
    """A person requested that the report stop; what was found is kept."""

    code: ClassVar[MessageCode] = ResearchCode.CANCELLED
    http_status = 409
