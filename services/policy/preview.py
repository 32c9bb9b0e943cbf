"""What a change of a season's rules would have done to the entries that were read last."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import OrchestratorLog, Run, RunStatus, Season, Submission, SubmissionStatus
from pipeline.orchestrator.recorded import RecordedReading, recorded_reading, route_by
from pipeline.orchestrator_routing import Route
from pipeline.orchestrator_state import Step
from pipeline.validation.policy import Policy
from services.context import Context
from services.policy.rules import changed_rules, policy_by, rules_of

#: Entries that a preview looks at.
LAST = 500
_ENDED = (RunStatus.SETTLED.value, RunStatus.INTERRUPTED.value)
#: Entries of these are read no more, or are replaced.
_GONE = (SubmissionStatus.SUPERSEDED.value, SubmissionStatus.FAILED.value)


@dataclass(frozen=True, slots=True)
class PastReading:
    """The first reading of an entry's latest run."""

    submission_id: uuid.UUID
    run_id: str
    confidence: float | None
    #: None where the log does not hold it.
    reading: RecordedReading | None
    #: The run completes nothing by itself, whatever the rules are.
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRoute:
    """An entry that would go another way."""

    submission_id: uuid.UUID
    run_id: str
    confidence: float | None
    before: Route
    after: Route


@dataclass
class Preview:
    """How entries go by the rules as they are and as they would be."""

    #: (route by the rules as they are, by the changed ones): number of entries.
    routes: Counter[tuple[Route, Route]] = field(default_factory=Counter)
    changed: list[ChangedRoute] = field(default_factory=list)
    #: Entries of which the log does not hold what a rule asks for.
    untold: int = 0

    @property
    def told(self) -> int:
        """Entries of which both is known."""
        return sum(self.routes.values())

    @property
    def completed_before(self) -> int:
        """Entries that are completed unseen by the rules as they are."""
        return sum(number for (before, _), number in self.routes.items() if before == "complete")

    @property
    def completed_after(self) -> int:
        """Entries that would be completed unseen by the changed rules."""
        return sum(number for (_, after), number in self.routes.items() if after == "complete")


def preview(
    context: Context, season_id: uuid.UUID, changes: Mapping[str, Any], last: int = LAST
) -> tuple[Preview, dict[str, Any]]:
    """Return the preview over the entries that were read last, and the season's rules after the change.

    Writes nothing. Raises NotFoundError, and InvalidInputError as `change_policy` does.
    """
    with context.database.session() as session:
        season = session.get(Season, season_id)
        if season is None:
            raise NotFoundError("no such season")
        own = rules_of(season)
    after = changed_rules(context.settings, own, changes)
    before_policy, after_policy = policy_by(context.settings, own), policy_by(context.settings, after)
    return compare(past_readings(context, season_id, before_policy, last), before_policy, after_policy), after


def compare(readings: Iterable[PastReading], before: Policy, after: Policy) -> Preview:
    """Return how these readings go by two policies. Pure."""
    found = Preview()
    for one in readings:
        ways = [
            None if one.reading is None else route_by(one.reading, _of(one, rules)) for rules in (before, after)
        ]
        if ways[0] is None or ways[1] is None:
            found.untold += 1
            continue
        found.routes[ways[0], ways[1]] += 1
        if ways[0] != ways[1]:
            found.changed.append(ChangedRoute(one.submission_id, one.run_id, one.confidence, ways[0], ways[1]))
    return found


def past_readings(context: Context, season_id: uuid.UUID, policy: Policy, last: int = LAST) -> list[PastReading]:
    """Return the last readings of the season's entries, newest first. `policy` is for rows that name no rules."""
    query = (
        select(
            OrchestratorLog.submission_id,
            OrchestratorLog.run_id,
            OrchestratorLog.trace_json,
            Submission.doc_class,
            Run.reopened,
        )
        .join(Run, Run.run_id == OrchestratorLog.run_id)
        .join(Submission, Submission.id == OrchestratorLog.submission_id)
        .where(
            OrchestratorLog.season_id == season_id,
            OrchestratorLog.action_taken == Step.RUN_PIPELINE.value,
            Run.status.in_(_ENDED),
            Run.run_no == Submission.run_no,
            Submission.status.not_in(_GONE),
        )
        .order_by(OrchestratorLog.timestamp.desc())
        .limit(last)
    )
    with context.database.session() as session:
        rows = session.execute(query).all()
    return [
        PastReading(
            row.submission_id,
            row.run_id,
            ((row.trace_json or {}).get("values") or {}).get("confidence"),
            recorded_reading(row.trace_json or {}, row.doc_class, policy),
            row.reopened,
        )
        for row in rows
    ]


def _of(one: PastReading, policy: Policy) -> Policy:
    return policy.model_copy(update={"auto_complete": False}) if one.held_back else policy
