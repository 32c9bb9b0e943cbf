"""All checks, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from services.context import Context
from services.doctor.check_children import check_children
from services.doctor.check_clocks import check_clocks
from services.doctor.check_lists import check_lists
from services.doctor.check_settings import check_settings
from services.doctor.check_variables import check_variables
from services.doctor.findings import Finding, Severity
from services.doctor.try_database import try_database
from services.doctor.try_mail import try_mail
from services.doctor.try_meaning import try_meaning
from services.doctor.try_model import try_model
from services.doctor.try_queue import try_queue
from services.doctor.try_store import try_store
from services.doctor.try_traces import try_traces

Check = Callable[[Context], Iterable[Finding]]

#: Checks that stay on this machine and its own servers.
_QUICK: tuple[Check, ...] = (
    try_database,
    try_queue,
    try_store,
    check_clocks,
    check_children,
    check_settings,
    check_variables,
    check_lists,
)
#: Those that ask services elsewhere, which takes time and may cost something.
_ELSEWHERE: tuple[Check, ...] = (try_model, try_meaning, try_traces, try_mail)


def examine(context: Context, elsewhere: bool = True) -> list[Finding]:
    """Return what all checks find; without `elsewhere`, models, traces and the mail server are not tried."""
    checks = (*_QUICK, *_ELSEWHERE) if elsewhere else _QUICK
    return [finding for check in checks for finding in check(context)]


def something_wrong(findings: Sequence[Finding]) -> bool:
    """Whether anything must be put right."""
    return any(finding.severity is Severity.WRONG for finding in findings)
