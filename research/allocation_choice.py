"""The model's proposal of who should work on a question; the user's choice and the default are not its matter."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.allocation import ResearcherAllocation
from research.prompts import ALLOCATE_SYSTEM, ALLOCATION_GUIDELINES

log = get_logger(__name__)
#: Characters that are kept.
LONGEST_REASONING = 2000


class AllocationChoice(BaseModel):
    """Researchers of each kind as a model proposes them; in all they may be too many."""

    web_researchers: int = Field(ge=0, le=3)
    academic_researchers: int = Field(ge=0, le=3)
    book_researchers: int = Field(ge=0, le=3)
    allocation_reasoning: str = ""


def allocation_prompt() -> str:
    """The prompt with what has proved itself."""
    lines = (f"- {what}: {web}, {academic}, {book}" for what, (web, academic, book) in ALLOCATION_GUIDELINES)
    return ALLOCATE_SYSTEM.format(guidelines="\n".join(lines))


@dataclass(frozen=True, slots=True)
class ProposedAllocation:
    """Researchers as a model proposes them, with why in its own words."""

    counts: ResearcherAllocation
    reasoning: str


def choose_allocation(query: str, model: Model | None) -> ProposedAllocation | None:
    """What the model proposes, as it is: `effective_allocation` scales it. None where it proposes nothing."""
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
