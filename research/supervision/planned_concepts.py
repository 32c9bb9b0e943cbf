"""Find the theories that a plan's questions name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from research.supervision.concept_phrases import has_theory
from research.supervision.term_tokens import Stretch, Token, stretches, tokens_of


def planned_concepts(questions: Iterable[str], language: str) -> list[str]:
    """Return each theory once, in order: "attachment theory" in "What does attachment theory say of toddlers?"."""
    code = "es" if language.startswith("es") else "en"
    return list(dict.fromkeys(term for question in questions for term in _named(question, code)))


def _named(question: str, language: str) -> Iterator[str]:
    tokens = tokens_of(question, language)
    named = [stretch for stretch in stretches(tokens, language) if _is_theory(stretch, tokens, language)]
    for stretch in named:
        wider = (other for other in named if other is not stretch and other.first <= stretch.first)
        if not any(other.last >= stretch.last for other in wider):
            yield question[tokens[stretch.first].start : tokens[stretch.last].end]


def _is_theory(stretch: Stretch, tokens: list[Token], language: str) -> bool:
    """Return whether the head noun means a theory: the last word in English, the first in Spanish."""
    head = tokens[stretch.first if language == "es" else stretch.last].stem
    return len(stretch.stems) > 1 and head is not None and has_theory([head], language)
