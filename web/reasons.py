"""Reason codes as filters and pages show them."""

from __future__ import annotations

from pipeline import reason_codes
from pipeline.reason_codes import ReasonCode, ReasonInfo
from web.i18n import translated


def reason_info(code: str) -> ReasonInfo:
    """What people are told about a code, in their language."""
    info = reason_codes.reason_info(code)
    return info._replace(label=translated(info.label), advice=translated(info.advice))


def reason_options() -> list[tuple[str, ReasonInfo]]:
    """(stored key, what people are told) of every reason there is."""
    return [(code.value, reason_info(code.value)) for code in ReasonCode]
