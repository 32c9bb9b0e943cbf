"""What Prometheus reads: computed from tables and the queue, for whoever may, and nothing that names a person."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
import yaml
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from rq.utils import utcformat

from core.clock import utcnow
from core.config import ROOT, Settings
from core.database import Database
from core.models import ModelCallRow, QueueSample, ReconcilerPass, SubmissionStatus
from core.queue import QUEUE_NAME, QUEUE_NAMES, job_ids
from core.work import JobKind
from flask_app import create_app
from services.context import Context
from services.doctor.metrics import Metric, exposition
from services.recovery.kinds import WORK
from services.recovery.work import queue_rows
from tests.support import factories
from tests.support.review import desk
from tests.support.site import unreachable_redis

PAGE = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
TOKEN = "a-token-of-sixteen-letters-or-more"


def scraped(context: Context) -> dict[tuple[str, tuple[str, ...]], float]:
    """{(name without prefix, labels in the order of their names): number}, as Prometheus's own parser reads it."""
    samples = [
        sample
        for family in text_string_to_metric_families(exposition(context).decode())
        for sample in family.samples
    ]
    return {
        (
            one.name.removeprefix("second_reader_"),
            tuple(value for _, value in sorted(one.labels.items())),
        ): one.value
        for one in samples
    }


@pytest.fixture
def busy(context: Context) -> Context:
    """A bit of everything."""
    context.redis.flushdb()
    now = utcnow()
    with context.database.session() as session:
        desk.make_proposal(context, session, student="Marisol Quintero")
        desk.make_escalated(context, session)
        factories.make_submission(session, status="failed")
        run = factories.make_run(session, status="queued")
        month = now.date().replace(day=1)
        for reason, number, day in (("confident", 3, month), ("confident", 4, month - timedelta(days=400))):
            factories.make_count(session, "run", "completed", reason, scope="month", number=number, day=day)
        session.add(QueueSample(sampled_at=now, queued=0, running=0, scheduled=0, failed=0, workers=0))
        session.add_all(
            [
                ReconcilerPass(requeued={"run": 2}),
                ReconcilerPass(requeued={"run": 1, "upload": 1}),
                ReconcilerPass(requeued={"run": 9}, created_at=now - timedelta(hours=2)),
            ]
        )
        calls = {"purpose": "retry", "provider": "groq", "model": "m", "tokens_in": 30, "tokens_out": 7}
        session.add_all(
            [
                ModelCallRow(id=uuid.uuid4(), status="ok", cost_usd=1, **calls),
                ModelCallRow(id=uuid.uuid4(), status="failed", **calls),
                ModelCallRow(id=uuid.uuid4(), status="ok", created_at=now - timedelta(hours=2), **calls),
            ]
        )
        run_id = run.run_id
    queue_rows(context, WORK[JobKind.RUN], run_id)
    return context


def test_the_numbers(busy: Context) -> None:
    found = scraped(busy)
    assert found["up", ("database",)] == found["up", ("queue",)] == 1
    assert found["jobs", ("run", "queued")] == 1 and found["jobs", ("upload", "queued")] == 0
    assert found["failed_work", ("run",)] == 1 and found["failed_work", ("report",)] == 0
    assert found["runs_total", ("completed",)] == 7
    assert found["reconciler_requeued_last_hour", ("run",)] == 3
    assert (
        found["model_calls_last_hour", ("groq", "ok")] == found["model_calls_last_hour", ("groq", "failed")] == 1
    )
    assert (
        found["model_tokens_last_hour", ("in", "groq")] == 60 and found["model_cost_usd_last_hour", ("groq",)] == 1
    )
    assert found["review_waiting", ("suggestions",)] == found["review_waiting", ("escalations",)] == 1
    assert found["submissions", ("failed",)] == 1
    statuses = {labels[0] for name, labels in found if name == "submissions"}
    assert statuses == set(SubmissionStatus)
    assert found["migrations_behind", ()] == 0 and found["workers", ()] == 0
    assert 0 <= found["reconciler_last_seconds", ()] < 60 and found["store_free_bytes", ()] > 0


def test_how_long_the_first_job_of_each_queue_has_waited(busy: Context) -> None:
    (job_id,) = job_ids(busy.redis).queued
    key = f"rq:job:{job_id}"
    busy.redis.hset(key, "enqueued_at", utcformat(utcnow() - timedelta(minutes=5)))
    found = {labels[0]: n for (name, labels), n in scraped(busy).items() if name == "queue_wait_seconds"}
    assert found.keys() == set(QUEUE_NAMES)
    assert 300 <= found.pop(QUEUE_NAME) < 400 and set(found.values()) == {0}


def test_a_second_scrape_counts_nothing_twice(busy: Context) -> None:
    ages = ("reconciler_last_seconds", "queue_wait_seconds", "review_oldest_seconds", "store_free_bytes")
    first, second = ({key: n for key, n in scraped(busy).items() if key[0] not in ages} for _ in range(2))
    assert first == second


def test_nothing_names_a_person_or_a_row(busy: Context) -> None:
    text = exposition(busy).decode()
    assert not re.search(r"Marisol|Quintero|@|[0-9a-f]{8}-[0-9a-f]{4}", text)


def test_what_is_exposed_is_what_is_declared_and_documented(busy: Context) -> None:
    exposed = {f"second_reader_{name}" for name, _ in scraped(busy)}
    declared = {metric.exposed: metric for metric in Metric}
    assert exposed == declared.keys()
    rows = dict(re.findall(r"^\| `(second_reader_\w+)` \| ([^|]*)\|", PAGE, flags=re.MULTILINE))
    assert rows.keys() == declared.keys()
    for name, labels in rows.items():
        assert tuple(re.findall(r"`(\w+)`", labels)) == declared[name].labels


def blocks() -> list[dict]:
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)]


def test_the_alerts_ask_for_what_is_exposed() -> None:
    scraping, alerts = blocks()
    assert scraping["scrape_configs"][0]["job_name"] == "second-reader"
    (group,) = alerts["groups"]
    metrics = {metric.exposed: metric for metric in Metric}
    asked = set()
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "warn", "info")
        assert rule["annotations"].keys() == {"summary", "runbook"}
        names = set(re.findall(r"\bsecond_reader_\w+", rule["expr"]))
        assert names <= metrics.keys() and (names or 'up{job="second-reader"}' in rule["expr"]), rule["alert"]
        labels = {label for name in names for label in metrics[name].labels} | {"job"}
        by = {one for found in re.findall(r"\bby \(([^)]*)\)", rule["expr"]) for one in found.split(", ")}
        told = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        assert by | told | set(re.findall(r"[{,]\s*(\w+)\s*!?=", rule["expr"])) <= labels, rule["alert"]
        asked |= names
    assert len(asked) >= 9 and len({rule["alert"] for rule in group["rules"]}) == len(group["rules"])


def test_parts_that_are_away(busy: Context) -> None:
    found = scraped(replace(busy, redis=unreachable_redis()))
    assert found["up", ("queue",)] == 0 and found["up", ("database",)] == 1 and ("workers", ()) not in found
    found = scraped(replace(busy, database=Database("postgresql://127.0.0.1:1/nothing")))
    assert found["up", ("database",)] == 0 and found["jobs", ("run", "queued")] == 1


def test_this_machine_reads_them_and_no_other(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.status_code == 200 and answer.content_type.startswith("text/plain")
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    assert client.get("/metrics", environ_overrides=elsewhere).status_code == 401
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        assert client.get("/metrics", headers={header: "203.0.113.9"}).status_code == 401, header


@pytest.fixture
def guarded(settings: Settings, context: Context) -> FlaskClient:
    from pydantic import SecretStr

    chosen = settings.model_copy(update={"metrics_token": SecretStr(TOKEN)})
    return create_app(chosen, context).test_client()


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (f"Bearer {TOKEN}x", 401),
        ("Bearer é", 401),
        (TOKEN, 401),
        ("", 401),
    ],
)
def test_with_a_token_only_the_token_counts(guarded: FlaskClient, header: str, status: int) -> None:
    for address in ("127.0.0.1", "203.0.113.9"):
        answer = guarded.get(
            "/metrics", headers={"Authorization": header}, environ_overrides={"REMOTE_ADDR": address}
        )
        assert answer.status_code == status
    assert TOKEN not in answer.text
