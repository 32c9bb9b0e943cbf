"""Ask a model which researchers should work on a question; user's choice and default are handled elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.allocation import ResearcherAllocation
from research.readers.model.prompts import ALLOCATE_SYSTEM, ALLOCATION_GUIDELINES

log = get_logger(__name__)
#: Most characters that are kept.
LONGEST_REASONING = 2000


class AllocationChoice(BaseModel):
    """Numbers of researchers as a model proposes them; their total may be too large."""

    web_researchers: int = Field(ge=0, le=3)
    academic_researchers: int = Field(ge=0, le=3)
    book_researchers: int = Field(ge=0, le=3)
    allocation_reasoning: str = ""


def allocation_prompt() -> str:
    """Return the prompt with the guidelines."""
    lines = (f"- {what}: {web}, {academic}, {book}" for what, (web, academic, book) in ALLOCATION_GUIDELINES)
    return ALLOCATE_SYSTEM.format(guidelines="\n".join(lines))


@dataclass(frozen=True, slots=True)
class ProposedAllocation:
    """The proposed numbers of researchers, with the model's reasoning."""

    counts: ResearcherAllocation
    reasoning: str


def choose_allocation(query: str, model: Model | None) -> ProposedAllocation | None:
    """Return the model's unscaled proposal, which `effective_allocation` scales; None if there is none."""
    if model is None:
        return None
    try:
        choice, _ = model.ask(allocation_prompt(), query, AllocationChoice, purpose="research.allocation")
    except ModelError as error:
        log.warning("allocation_without_model", code=error.code)
        return None
    log.info("allocation_proposed", **choice.model_dump(exclude={"allocation_reasoning"}))
    counts = ResearcherAllocation(
        web_count=choice.web_researchers,
        academic_count=choice.academic_researchers,
        book_count=choice.book_researchers,
    )
    return ProposedAllocation(counts, choice.allocation_reasoning.strip()[:LONGEST_REASONING])
