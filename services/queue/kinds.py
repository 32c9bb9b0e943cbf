"""Kinds of jobs: the closed list that workers accept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.labels import LabelledEnum
from services.recovery.kinds import ALL, RESTS
from services.recovery.work import Work


class JobKind(LabelledEnum, places=("job_kind",)):
    """What a job does, by the prefix of its id."""

    UPLOAD = "upload", "Split a file into entries"
    PAGES = "pages", "Read pages of a long file"
    RUN = "run", "Read an entry"
    REST = "rest", "Finish an entry"
    TOGETHER = "together", "Compare the entries of a file"
    BATCH = "batch", "Compare the entries of an upload"
    RESUME = "resume", "Carry out a decision"
    LIBRARY = "library", "Read a document of the library"
    MEANING = "meaning", "Prepare a document for search by meaning"
    EXPORT = "export", "Create an export file"
    MAIL = "mail", "Send an e-mail"
    PROBE = "probe", "Test the reading"
    BLANK = "blank", "Read an empty form"
    SAMPLE = "sample", "Read a sample of a form"
    RESET = "reset", "Send a password reset link"
    BULK = "bulk", "Change entries in bulk"
    REREAD = "reread", "Read an entry again for comparison"
    REPORT = "report", "Research a report"
    SUPERVISION = "supervision", "Deepen a report"
    OTHER = "other", "Something else"


#: The work behind each kind; OTHER has none.
WORK: Mapping[JobKind, Work[Any]] = {JobKind(work.name): work for work in (*ALL, RESTS)}
#: Kinds of jobs that may be cancelled before a worker takes them. The others carry out what is decided already.
CANCELLABLE = frozenset(
    {
        JobKind.UPLOAD,
        JobKind.PAGES,
        JobKind.RUN,
        JobKind.REST,
        JobKind.LIBRARY,
        JobKind.MEANING,
        JobKind.EXPORT,
        JobKind.BLANK,
        JobKind.SAMPLE,
        JobKind.REPORT,
        JobKind.SUPERVISION,
    }
)


def kind_of(job_id: str) -> JobKind:
    """Return the kind of a job by its id; OTHER for one that is none of ours."""
    prefix = job_id.partition("-")[0]
    return JobKind(prefix) if prefix in {kind.value for kind in WORK} else JobKind.OTHER


def numbers(ids: Iterable[str]) -> dict[JobKind, int]:
    """Return how many jobs there are of each kind; 0 for a kind without any."""
    counted = dict.fromkeys(WORK, 0)
    for job_id in ids:
        kind = kind_of(job_id)
        counted[kind] = counted.get(kind, 0) + 1
    return counted
