"""The reconciler counts the queue once a minute, and records what it found."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.models import QueueSample, ReconcilerPass
from services.context import Context
from services.queue.failed_work import PASSES_KEPT, SAMPLES_KEPT, Sample, last_passes, sample_queue, samples
from services.queue.jobs import in_spans
from services.reconcile import reconcile
from tests.support import factories


def test_a_minute_is_counted_once(context: Context) -> None:
    assert reconcile(context) == 0
    assert not sample_queue(context)
    (sample,) = samples(context, timedelta(minutes=5))
    assert (sample.queued, sample.running, sample.failed, sample.workers) == (0, 0, 0, 0)
    assert last_passes(context) == []


def test_what_was_found_is_recorded(context: Context) -> None:
    with context.database.session() as session:
        factories.make_run(session, status="queued")
        factories.make_run(session, status="settled")
    assert reconcile(context) == 2
    (found,) = last_passes(context)
    assert (found.found.requeued, found.found.pruned) == ({"run": 1}, {"run": 1})
    (sample,) = samples(context, timedelta(minutes=5))
    assert sample.queued == 1


def test_what_is_old_goes(context: Context) -> None:
    now = utcnow()
    with context.database.session() as session:
        zeros = dict.fromkeys(("queued", "running", "scheduled", "failed", "workers"), 0)
        for age in (SAMPLES_KEPT + timedelta(minutes=2), timedelta(hours=30)):
            session.add(QueueSample(sampled_at=now - age, **zeros))
        for age in (PASSES_KEPT + timedelta(minutes=2), timedelta(hours=30)):
            session.add(ReconcilerPass(created_at=now - age))
    assert sample_queue(context)
    with context.database.session() as session:
        assert len(session.scalars(select(QueueSample)).all()) == 2
        assert len(session.scalars(select(ReconcilerPass)).all()) == 1
    assert len(samples(context, timedelta(hours=24))) == 1


@pytest.mark.parametrize("seed", range(5))
def test_spans_against_a_count_by_hand(seed: int) -> None:
    drawn, until = random.Random(seed), datetime(2026, 3, 1, 12, tzinfo=UTC)
    made = [
        Sample(until - timedelta(seconds=drawn.randint(-600, 9000)), *(drawn.randint(0, 9) for _ in range(5)))
        for _ in range(drawn.randint(0, 60))
    ]
    spans = in_spans(made, until, timedelta(minutes=15), 8)
    assert [span.begins for span in spans] == [until - timedelta(minutes=15 * n) for n in range(8, 0, -1)]
    for span in spans:
        within = [one for one in made if span.begins <= one.at < span.begins + timedelta(minutes=15)]
        assert span.queued == max((one.queued for one in within), default=None)
        assert span.workers == min((one.workers for one in within), default=None)
