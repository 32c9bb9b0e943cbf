"""Try the endpoint that traces are sent to."""

from __future__ import annotations

import time
from collections.abc import Iterator

from core.errors import TracesAwayError
from core.tracing.probe import knows_project
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong


def try_traces(context: Context) -> Iterator[Finding]:
    """Yield whether the endpoint answers, and whether traces hold content."""
    settings = context.settings
    if not settings.langsmith_tracing:
        yield fine(DoctorCode.TRACES_OFF)
        return
    began = time.monotonic()
    try:
        known = knows_project(settings)
    except TracesAwayError as error:
        yield wrong(DoctorCode.TRACES_FAIL, time.monotonic() - began, problem=error.told)
    else:
        code = DoctorCode.TRACES_ANSWER if known else DoctorCode.TRACES_NEW
        yield fine(code, time.monotonic() - began)
    if settings.langsmith_send_content:
        yield doubtful(DoctorCode.TRACES_OPEN)
