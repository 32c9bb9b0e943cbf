"""Reason codes in the language of the request, for filters and pages."""

from __future__ import annotations

from pipeline import reason_codes
from pipeline.reason_codes import ReasonCode, ReasonInfo
from web.i18n import translated


def reason_info(code: str) -> ReasonInfo:
    """Return the label and the advice of a code, in the language of the request."""
    info = reason_codes.reason_info(code)
    return info._replace(label=translated(info.label), advice=translated(info.advice))


def reason_options() -> list[tuple[str, ReasonInfo]]:
    """Return (stored key, label and advice) of every reason code."""
    return [(code.value, reason_info(code.value)) for code in ReasonCode]
