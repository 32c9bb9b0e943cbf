"""Plan the questions and aspects of a report from the words of its request."""

from __future__ import annotations

from research.questions.subjects import aspects_of
from research.readers.protocol import Asked, Plan
from research.readers.rules.questions import questions_of


def plan_of(asked: Asked, most_questions: int) -> Plan:
    """Return the request itself first, then a question per aspect, at most `most_questions` in all."""
    aspects = aspects_of(asked.query, asked.language)
    questions = questions_of(asked, aspects)[:most_questions]
    told = f" Aspects: {', '.join(aspects)}." if aspects else ""
    return Plan(tuple(questions), tuple(aspects), f"Planned by rule from the words of the question.{told}")
