"""Reason codes as filters and pages show them."""

from __future__ import annotations

from pipeline.reason_codes import ReasonCode, ReasonInfo, reason_info

__all__ = ["reason_info", "reason_options"]


def reason_options() -> list[tuple[str, ReasonInfo]]:
    """(stored key, what people are told) of every reason there is."""
    return [(code.value, reason_info(code)) for code in ReasonCode]
