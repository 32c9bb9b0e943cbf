"""Limits of one question to a model: tokens, seconds, attempts and prices."""

from __future__ import annotations

from dataclasses import dataclass

from core.config import Settings

#: Limits the cost of a runaway reply; the longest requested object, the items of some pages, takes about 3,000.
REPLY_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Depth:
    """The limits of one question, and whether the model reasons before it answers."""

    reply_tokens: int
    #: Seconds for one attempt.
    timeout_seconds: float
    max_attempts: int
    #: Seconds for all attempts of a question that was given no deadline.
    patience: float
    #: US dollars for a million tokens.
    price_in: float
    price_out: float
    #: Whether this is the model that reasons (DEEP_*).
    deep: bool = False
    #: Name of the model; None: the provider's own.
    model: str | None = None
    #: How long to reason: a level, or a number of tokens. A provider takes one of them, both or neither.
    effort: str | None = None
    thinking_budget: int | None = None

    @property
    def reasons(self) -> bool:
        """Whether a number of reasoning tokens or a level of reasoning is set."""
        return self.effort is not None or self.thinking_budget is not None


def plain_depth(settings: Settings) -> Depth:
    """The limits of a question about an entry."""
    seconds, attempts = settings.llm_timeout_seconds, settings.llm_max_attempts
    return Depth(
        reply_tokens=REPLY_TOKENS,
        timeout_seconds=seconds,
        max_attempts=attempts,
        patience=min(seconds * attempts, float(settings.job_timeout_seconds)),
        price_in=settings.llm_price_in,
        price_out=settings.llm_price_out,
    )


def deep_depth(settings: Settings) -> Depth:
    """The limits of a question that takes reasoning (DEEP_*)."""
    seconds, attempts = settings.deep_timeout_seconds, settings.llm_max_attempts
    price_in, price_out = settings.deep_price_in, settings.deep_price_out
    return Depth(
        reply_tokens=settings.deep_max_tokens,
        timeout_seconds=seconds,
        max_attempts=attempts,
        patience=min(seconds * attempts, float(settings.report_timeout_seconds)),
        price_in=settings.llm_price_in if price_in is None else price_in,
        price_out=settings.llm_price_out if price_out is None else price_out,
        deep=True,
        model=settings.deep_model,
        effort=settings.deep_effort,
        thinking_budget=settings.thinking_budget,
    )
