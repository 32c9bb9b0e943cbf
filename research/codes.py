"""Message codes of research errors, and the errors that end a report's research early."""

from __future__ import annotations

from typing import ClassVar

from core.errors import AppError, ModelError
from core.messages import MessageCode


class ResearchCode(MessageCode):
    """Research errors and their consequences for the report."""

    INVALID_DECISION = "invalid_decision", "The analysis could not be used. The document stays as it was."
    BUDGET_SPENT = "budget_spent", "The report's budget is spent. It is written from what was found until then."
    CANCELLED = "cancelled", "The report was stopped. What was found until then is kept."
    TIER_UNKNOWN = "tier_unknown", "There is no tier called %(given)s; there are %(known)s."
    FORMAT_UNKNOWN = "format_unknown", "There is no format %(given)s; there are %(known)s."
    NO_DECISION = "no_decision", "There is no decision on a revision that the supervision could go on with."
    SOURCE_FAILED = "source_failed", "A source could not be reached. The report goes on with the others."
    SOURCE_UNAVAILABLE = (
        "source_unavailable",
        "A source does not answer at present. The report goes on with the others.",
    )
    SOURCE_REFUSED = "source_refused", "A source refused. Check its key and its quota in the settings."
    SOURCE_WITHOUT_TEXT = "source_without_text", "A source has no text that could be read."
    SOURCE_FORBIDDEN = (
        "source_forbidden",
        "An address was not opened, because it is private or on a domain that was excluded.",
    )


class BudgetSpentError(ModelError):
    """A model call would exceed the budget; callers continue by rule, as without a model."""

    code: ClassVar[MessageCode] = ResearchCode.BUDGET_SPENT


class CancelRequestedError(AppError):
    """A person requested that the report stop; what was found is kept."""

    code: ClassVar[MessageCode] = ResearchCode.CANCELLED
    http_status = 409
