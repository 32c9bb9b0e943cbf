"""Every code of research and its services is a sentence in both languages."""

from __future__ import annotations

import pytest
from flask import Flask

from core.messages import Message, MessageCode
from research.allocation import AllocationCode
from research.config import ResearchCode
from research.memo import GapCode
from research.sources.remote import ProviderOff
from research.supervision.types import ExaminedCode, RefusalCode
from services.reports.request import ReportCode
from services.supervision.request import SupervisionCode
from web.i18n import say

KINDS: tuple[type[MessageCode], ...] = (
    AllocationCode,
    ExaminedCode,
    GapCode,
    ProviderOff,
    RefusalCode,
    ReportCode,
    ResearchCode,
    SupervisionCode,
)
CODES = [code for kind in KINDS for code in kind]
#: Templates of values alone.
SAME = {GapCode.FIELDS_MISSING, SupervisionCode.TEXT_REFUSED}


@pytest.mark.parametrize("code", CODES, ids=str)
def test_a_code_is_a_sentence_in_both_languages(app: Flask, code: MessageCode) -> None:
    message = Message.of(code, **dict.fromkeys(code.places, "web"))
    said = []
    for language in ("en", "es"):
        with app.test_request_context(headers={"Accept-Language": language}):
            said.append(say(message))
    assert all(said) and "%" not in "".join(said).replace(" %", "")
    assert code in SAME or said[0] != said[1]
