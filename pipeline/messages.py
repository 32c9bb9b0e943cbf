"""Codes of what the pipeline refuses."""

from __future__ import annotations

from core.messages import MessageCode


class WrongValue(MessageCode):
    """Why a value or a decision does not fit."""

    NOT_A_GRADE = "not_a_grade", "%(field)s: K or a number from 1 to 12"
    NOT_A_NUMBER = "not_a_number", "%(field)s: a whole number"
    DECISION_UNKNOWN = "decision_unknown", "action must be one of %(choices)s"
