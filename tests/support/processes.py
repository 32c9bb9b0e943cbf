"""Processes that tests start: each is a fork of one that has loaded what they need, and has run nothing.

A test process has one such server, and the last call of `set_forkserver_preload` decides what it loads. So it is
called here alone, for all of them: a process whose module is not in the list would import the product anew.
"""

from __future__ import annotations

import multiprocessing

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    [
        "tests.support.worker_models",
        "tests.support.worker_process",
        "tests.support.watch_process",
        "tests.support.backup_process",
        "tests.support.nursery",
        "tests.support.reading.orchestration_process",
        "tests.support.research.report_process",
        "tests.support.research.supervision_process",
        "tests.support.review.reviewer_process",
    ]
)
