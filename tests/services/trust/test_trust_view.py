"""The page's figures against the truth of a simulated season that is written into the tables."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import delete

from core.clock import utcnow
from core.config import Settings
from core.models import Audit
from lab.bench.statements import listed
from lab.simulation.judged import by_audits, by_reviewers
from lab.simulation.plan import REQUIRED, Plan
from lab.simulation.season import Season
from lab.simulation.simulate import simulate
from lab.simulation.write import write
from services.context import Context
from services.seasons import current_season
from services.trust import figures as of_season
from services.trust.figures import drift_of, renew_figures
from services.trust.trust_view import has_drifted, note_drift, trust_view

PLAN = Plan(seed=91, entries=1_200, audit_share=0.3, decided=0.8, threshold=0.9)


@pytest.fixture
def simulated(context: Context, settings: Settings):
    season = simulate(PLAN)
    assert settings.database_url
    with psycopg.connect(settings.database_url) as connection:
        write(connection, season)
    return season


def test_figures_are_those_of_the_simulated_season(context: Context, simulated) -> None:
    view = trust_view(context, threshold=0.94)
    entries = simulated.entries
    audited = [entry for entry in entries if entry.audited]
    unseen = [entry for entry in entries if entry.unseen]
    whole, *by_field = view.precisions
    assert whole.share.judged == len(audited) and whole.population == len(unseen)
    truth = sum(entry.right(REQUIRED) for entry in unseen) / len(unseen)
    assert whole.share.interval.low <= truth <= whole.share.interval.high
    for one in by_field:
        having = [entry for entry in unseen if one.name in entry.confidences]
        assert one.share.judged == sum(one.name in entry.confidences for entry in audited)
        assert one.share.value == pytest.approx(
            sum(one.name not in e.wrong for e in having) / len(having), abs=0.05
        )
    passing = [entry for entry in entries if entry.ready and entry.confidence >= 0.94]
    assert view.asked.passing == len(passing)
    assert view.asked.unseen == pytest.approx(len(passing) / len(entries))
    assert view.in_force == 0.9
    judged = [*by_audits(simulated), *by_reviewers(simulated)]
    above = [one for one in judged if one.confidence >= 0.94]
    expected = math.fsum(one.weight for one in above if one.right) / math.fsum(one.weight for one in above)
    assert view.asked.precision.value == pytest.approx(expected, abs=1e-4)
    assert sum(one.right.judged for one in view.by_audits) == sum(len(entry.confidences) for entry in audited)
    assert view.by_reviewers


def test_few_statements_and_none_of_the_log(context: Context, simulated) -> None:
    with listed(context.database.engine) as statements:
        trust_view(context)
    assert len([one for one in statements if "select" in one.lower()]) <= 9
    assert not any("orchestrator_logs" in one for one in statements)


def test_a_large_season_shows_what_was_gathered_last(context: Context, simulated, monkeypatch) -> None:
    monkeypatch.setattr(of_season, "AT_ONCE", len(simulated.entries) - 1)
    at_once = trust_view(context, threshold=0.94)
    context.database.execute(delete(Audit).where(Audit.status == "settled"))
    with listed(context.database.engine) as statements:
        kept = trust_view(context, threshold=0.94)
    assert kept.as_of is not None and len(statements) <= 3
    assert replace(kept, waiting=at_once.waiting) == at_once
    context.redis.delete("second-reader:trust_renewed")
    assert renew_figures(context) and not renew_figures(context)
    assert trust_view(context).precisions[0].share.judged == 0


def test_other_rules_are_seen_at_once_in_a_large_season(context: Context, simulated, monkeypatch) -> None:
    monkeypatch.setattr(of_season, "AT_ONCE", 10)
    assert trust_view(context).in_force == 0.9
    with context.database.session() as session:
        current_season(session).policy = {"complete_confidence": 0.95}
    assert trust_view(context).in_force == 0.95


def test_a_small_season_is_counted_for_each_page(context: Context, simulated) -> None:
    assert trust_view(context).as_of is None
    context.database.execute(delete(Audit).where(Audit.status == "settled"))
    assert trust_view(context).precisions[0].share.judged == 0
    context.redis.delete("second-reader:trust_renewed")
    assert not renew_figures(context)


def test_drift_names_the_form(context: Context, settings: Settings) -> None:
    begins = utcnow() - timedelta(weeks=5)
    drawn = simulate(Plan(seed=92, entries=900, weeks=5, begins=begins))
    season = Season(drawn.plan, drawn.entries, {})
    for entry in season.entries:
        # In the last week nothing of one form passes.
        if entry.at >= begins + timedelta(weeks=4) and entry.form == "ifi_2026" and entry.unseen:
            entry.outcome, entry.drawn, entry.audited = "suggested", None, False
    assert settings.database_url
    with psycopg.connect(settings.database_url) as connection:
        write(connection, season)
    with context.database.session() as session:
        season_id = current_season(session).id
        left = drift_of(session, context.settings, season_id, begins + timedelta(weeks=5))
    assert left[0].kind is None
    assert any(one.kind == "form" and one.key == "ifi_2026" and one.share == 0 for one in left)
    assert not any(one.kind == "form" and one.key != "ifi_2026" for one in left)
    assert not has_drifted(context), "nobody has looked yet"
    assert note_drift(context).left and has_drifted(context)


def test_an_empty_season(context: Context) -> None:
    view = trust_view(context)
    assert view.precisions[0].share.value is None and view.precisions[0].wanting > 0
    assert (view.by_audits, view.by_reviewers, view.drift, view.proposed) == ([], [], [], None)
    assert view.now.unseen is None
    assert note_drift(context).left == 0 and not has_drifted(context)
