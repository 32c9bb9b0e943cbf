"""Variables that are given and are no settings: most likely misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from core.config import stray_variables
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, wrong


def check_variables(context: Context) -> Iterator[Finding]:
    """Yield the variables of `.env` that are no settings, and those of the environment that almost are."""
    for stray in stray_variables():
        if stray.place == "twice":
            yield doubtful(DoctorCode.VARIABLE_TWICE, variable=stray.name, setting=stray.setting)
        elif stray.place == "environment":
            yield doubtful(DoctorCode.VARIABLE_ALIKE, variable=stray.name, setting=stray.setting)
        elif stray.setting is None:
            yield wrong(DoctorCode.VARIABLE_IN_FILE, variable=stray.name)
        else:
            yield wrong(DoctorCode.VARIABLE_MISSPELT, variable=stray.name, setting=stray.setting)
