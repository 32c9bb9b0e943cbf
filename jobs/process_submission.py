"""The job of an uploaded file, under its name in the source plans."""

from __future__ import annotations

from jobs.run import do_work
from services.recovery.kinds import UPLOADS


def process_submission_job(upload_id: str) -> None:
    """Split the file into entries, and queue the reading of each. See `jobs.run.do_work`."""
    do_work(UPLOADS, upload_id)
