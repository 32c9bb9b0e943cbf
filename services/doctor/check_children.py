"""Whether this system protects what parses files as far as this program can ask it to."""

from __future__ import annotations

from collections.abc import Iterator

from core.confined.children import missing_protections
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine


def check_children(context: Context) -> Iterator[Finding]:
    """Yield which protections the children that parse files go without."""
    if missing := missing_protections():
        yield doubtful(DoctorCode.CHILDREN_UNPROTECTED, protections=list(missing))
    else:
        yield fine(DoctorCode.CHILDREN_PROTECTED)
