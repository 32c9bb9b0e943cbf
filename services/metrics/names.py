"""Every metric: its name, what it says, and its labels. None of them holds a person, a school, a file or an id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PREFIX = "second_reader_"


@dataclass(frozen=True)
class Metric:
    """One metric, without the prefix."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    kind: Literal["gauge", "counter"] = "gauge"

    @property
    def exposed(self) -> str:
        """Its name as Prometheus sees it."""
        return PREFIX + self.name


UP = Metric("up", "Whether a part answers: database or queue.", ("part",))
MIGRATIONS_BEHIND = Metric("migrations_behind", "Migrations of this version that are not applied.")
STORE_FREE_BYTES = Metric("store_free_bytes", "Free space for files, where they lie on this machine.")

WORKERS = Metric("workers", "Workers with a heartbeat in the last half minute.")
OLDEST_JOB_SECONDS = Metric("oldest_running_job_seconds", "Age of the job that a worker has had in hand longest.")
JOBS = Metric("jobs", "Jobs on the queue, by kind and state: queued, running, scheduled.", ("kind", "state"))
OLDEST_QUEUED_SECONDS = Metric("oldest_queued_job_seconds", "How long the next job has waited.")
FAILED = Metric("failed_work", "Rows that have failed for good and wait for a person, by kind.", ("kind",))
SAMPLE_SECONDS = Metric("reconciler_last_seconds", "Seconds since a reconciler last counted the queue.")
REQUEUED = Metric("reconciler_requeued_last_hour", "Rows that the reconciler queued in the last hour.", ("kind",))

SUBMISSIONS = Metric("submissions", "Entries of the current season by status.", ("status",))
RUNS = Metric("runs_total", "Runs that have ended since the beginning, by outcome.", ("outcome",), "counter")
REVIEW_WAITING = Metric("review_waiting", "Items that wait for a person, by queue.", ("queue",))
REVIEW_OLDEST_SECONDS = Metric("review_oldest_seconds", "How long the oldest item has waited.", ("queue",))

MODEL_CALLS = Metric(
    "model_calls_last_hour",
    "Calls of language models in the last hour, by status.",
    ("provider", "status"),
)
MODEL_TOKENS = Metric(
    "model_tokens_last_hour", "Tokens of language models in the last hour.", ("provider", "direction")
)
MODEL_COST = Metric("model_cost_usd_last_hour", "US dollars for language models in the last hour.", ("provider",))

ALL = (
    UP,
    MIGRATIONS_BEHIND,
    STORE_FREE_BYTES,
    WORKERS,
    OLDEST_JOB_SECONDS,
    JOBS,
    OLDEST_QUEUED_SECONDS,
    FAILED,
    SAMPLE_SECONDS,
    REQUEUED,
    SUBMISSIONS,
    RUNS,
    REVIEW_WAITING,
    REVIEW_OLDEST_SECONDS,
    MODEL_CALLS,
    MODEL_TOKENS,
    MODEL_COST,
)
