"""Plan the questions and aspects of a report from the words of its request."""

from __future__ import annotations

from research.questions.angles import angles_of
from research.readers.protocol import Asked, Plan
from research.readers.rules.questions import questions_of


def plan_of(asked: Asked, most_questions: int) -> Plan:
    """Return the request itself first, then a question per aspect, at most `most_questions` in all."""
    aspects = angles_of(asked.query, asked.language)
    questions = questions_of(asked.query, asked.report_type, aspects, asked.language)[:most_questions]
    told = f" Aspects: {', '.join(aspects)}." if aspects else ""
    return Plan(tuple(questions), tuple(aspects), f"Planned by rule from the words of the question.{told}")
