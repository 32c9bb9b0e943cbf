"""The rules of a season: thresholds, waivers, their history and a preview of a change."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from core.config import Settings
from core.errors import ConfigurationError, ConflictError, InvalidInputError, NotFoundError, existing
from core.messages import LabelledEnum, keys_of
from core.models import (
    Audit,
    AuditField,
    AuditFinding,
    AuditStatus,
    OrchestratorLog,
    PolicyChange,
    PolicyChangeKind,
    Profile,
    Run,
    RunStatus,
    Season,
    SecurityEventKind,
    Submission,
    SubmissionStatus,
)
from core.plain_data import built
from pipeline.orchestrator.decisions import RecordedReading, Step, recorded_reading, route_by
from pipeline.orchestrator_routing import Route
from pipeline.profiles import known_forms
from pipeline.validation.policy import Policy
from services.accounts.person import name_of
from services.audit import record_event
from services.context import Context
from services.messages.office import SeasonConflict, SeasonRefused

# Change the rules of a season: the only place that does.


def change_policy(
    context: Context,
    actor_id: uuid.UUID | None,
    season_id: uuid.UUID,
    changes: Mapping[str, Any],
    version: int | None = None,
) -> PolicyChange:
    """Change rules of the season, by the keys of `Rule`, and return the audited row; None resets a rule.

    `version` is the season's as the person saw it; None: whichever it has. No `actor_id` means the command line.
    Raises NotFoundError, ConflictError if the rules have changed since, and InvalidInputError for values that are
    not possible or that change nothing.
    """
    with context.database.session() as session:
        season = locked_season(session, season_id, version)
        own = rules_of(season)
        after = changed_rules(context.settings, own, changes)
        return write_change(session, season, own, after, actor_id)


def undo_policy_change(
    context: Context, actor_id: uuid.UUID | None, change_id: uuid.UUID, version: int | None = None
) -> PolicyChange:
    """Set the rules of a change back to their values before it; return the audited row.

    Raises NotFoundError, and ConflictError if one of them was changed again, or the change was undone already.
    """
    with context.database.session() as session:
        change = session.get(PolicyChange, change_id)
        if change is None or change.kind not in (PolicyChangeKind.CHANGED, PolicyChangeKind.UNDONE):
            raise NotFoundError("no such change of rules")
        season = locked_season(session, change.season_id, version)
        if session.scalar(select(PolicyChange.id).where(PolicyChange.undoes == change.id)):
            raise ConflictError(SeasonConflict.TAKEN_BACK)
        own = rules_of(season)
        if since := [key for key, value in change.after.items() if own.get(key) != value]:
            raise ConflictError(SeasonConflict.CHANGED_SINCE, rules=since)
        after = changed_rules(context.settings, own, change.before)
        return write_change(session, season, own, after, actor_id, undoes=change.id)


def locked_season(session: Session, season_id: uuid.UUID, version: int | None) -> Season:
    """Return the season's row, locked. Raises NotFoundError, and ConflictError if its version is another."""
    season = existing(session.get(Season, season_id, with_for_update=True), "no such season")
    if version is not None and season.version != version:
        raise ConflictError(SeasonConflict.CHANGED)
    return season


def write_change(
    session: Session,
    season: Season,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    actor_id: uuid.UUID | None,
    undoes: uuid.UUID | None = None,
) -> PolicyChange:
    """Write the rules and the audited row of what differs. Raises InvalidInputError if nothing does."""
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    if not changed:
        raise InvalidInputError(SeasonRefused.NOTHING_CHANGES)
    write_rules(season, after)
    kind = PolicyChangeKind.CHANGED if undoes is None else PolicyChangeKind.UNDONE
    row = next_change(
        season,
        kind,
        {key: before.get(key) for key in changed},
        {key: after.get(key) for key in changed},
        actor_id,
        undoes,
    )
    session.add(row)
    record_event(
        session, SecurityEventKind.POLICY_CHANGED, actor_id=actor_id, season=season.name, rules=list(changed)
    )
    session.flush()
    return row


def next_change(
    season: Season,
    kind: PolicyChangeKind,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    actor_id: uuid.UUID | None,
    undoes: uuid.UUID | None = None,
) -> PolicyChange:
    """Raise the season's version and return the row of the change that made it; the caller adds it."""
    season.version += 1
    return PolicyChange(
        season_id=season.id,
        version=season.version,
        kind=kind.value,
        before=dict(before),
        after=dict(after),
        actor_id=actor_id,
        undoes=undoes,
    )


@dataclass(frozen=True)
class PastChange:
    """One change, with who made it and who undid it; None for the command line."""

    id: uuid.UUID
    version: int
    kind: str
    before: dict[str, Any]
    after: dict[str, Any]
    actor: str | None
    created_at: datetime
    #: The version that undid it.
    undone_by: int | None
    undone_by_whom: str | None
    #: Whether its rules still have the values that it set, so that it can be undone.
    may_undo: bool


def history(context: Context, season_id: uuid.UUID) -> list[PastChange]:
    """Return the season's changes."""
    later, actor, undoer = aliased(PolicyChange), aliased(Profile), aliased(Profile)
    with context.database.reading() as session:
        own = rules_of(session.get_one(Season, season_id))
        rows = session.execute(
            select(
                PolicyChange,
                name_of(actor).label("actor"),
                later.version.label("undone_by"),
                name_of(undoer).label("undone_by_whom"),
            )
            .outerjoin(actor, actor.id == PolicyChange.actor_id)
            .outerjoin(later, later.undoes == PolicyChange.id)
            .outerjoin(undoer, undoer.id == later.actor_id)
            .where(PolicyChange.season_id == season_id)
            .order_by(PolicyChange.version.desc())
        ).all()
    return [
        built(
            PastChange,
            change,
            actor=by,
            undone_by=undone_by,
            undone_by_whom=whom,
            may_undo=undone_by is None
            and change.kind in (PolicyChangeKind.CHANGED, PolicyChangeKind.UNDONE)
            and all(own.get(key) == value for key, value in change.after.items()),
        )
        for change, by, undone_by, whom in rows
    ]


#: Entries that a preview looks at.
LAST = 500
_ENDED = (RunStatus.SETTLED.value, RunStatus.INTERRUPTED.value)
#: Statuses of entries that are not read again, or are replaced.
_GONE = (SubmissionStatus.SUPERSEDED.value, SubmissionStatus.FAILED.value)


@dataclass(frozen=True, slots=True)
class PastReading:
    """The first reading of an entry's latest run, with that of the second reader."""

    submission_id: uuid.UUID
    run_id: str
    confidence: float | None
    #: None if the log does not have it.
    reading: RecordedReading | None
    #: Whether a person decides on the entry, whatever the rules are.
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRoute:
    submission_id: uuid.UUID
    run_id: str
    confidence: float | None
    before: Route
    after: Route


@dataclass
class Preview:
    """The routes of entries under the current and under the changed rules."""

    #: (route under the current rules, under the changed ones): number of entries.
    routes: Counter[tuple[Route, Route]] = field(default_factory=Counter)
    changed: list[ChangedRoute] = field(default_factory=list)
    #: Number of entries for which the log lacks what a rule needs.
    unchecked: int = 0

    @property
    def checked(self) -> int:
        """Number of entries with both routes."""
        return sum(self.routes.values())

    @property
    def completed_before(self) -> int:
        """Number of entries that the current rules complete without review."""
        return sum(number for (before, _), number in self.routes.items() if before == "complete")

    @property
    def completed_after(self) -> int:
        """Number of entries that the changed rules would complete without review."""
        return sum(number for (_, after), number in self.routes.items() if after == "complete")


def preview_policy(
    context: Context, season_id: uuid.UUID, changes: Mapping[str, Any], last: int = LAST
) -> tuple[Preview, dict[str, Any]]:
    """Return the preview over the entries that were read last, and the season's rules after the change.

    Writes nothing. Raises NotFoundError, and InvalidInputError as `change_policy` does.
    """
    with context.database.reading() as session:
        season = existing(session.get(Season, season_id), "no such season")
        own = rules_of(season)
        audited = agreement_by_audits(session, season_id)
    after = changed_rules(context.settings, own, changes)
    before_policy, after_policy = (policy_by(context.settings, {**audited, **rules}) for rules in (own, after))
    return compare_policies(
        past_readings(context, season_id, before_policy, last), before_policy, after_policy
    ), after


def compare_policies(readings: Iterable[PastReading], before: Policy, after: Policy) -> Preview:
    """Return the routes of these readings under two policies. Pure."""
    found = Preview()
    for one in readings:
        ways = [
            None if one.reading is None else route_by(one.reading, _of(one, rules)) for rules in (before, after)
        ]
        if ways[0] is None or ways[1] is None:
            found.unchecked += 1
            continue
        found.routes[ways[0], ways[1]] += 1
        if ways[0] != ways[1]:
            found.changed.append(ChangedRoute(one.submission_id, one.run_id, one.confidence, ways[0], ways[1]))
    return found


def past_readings(context: Context, season_id: uuid.UUID, policy: Policy, last: int = LAST) -> list[PastReading]:
    """Return the last readings of the season's entries, newest first. `policy` is for rows without rules.

    A run whose page a second reader saw counts with what both readers have.
    """
    looked = aliased(OrchestratorLog)
    later = exists().where(
        looked.run_id == OrchestratorLog.run_id, looked.action_taken == Step.SECOND_READER.value
    )
    query = (
        select(
            OrchestratorLog.submission_id,
            OrchestratorLog.run_id,
            OrchestratorLog.trace_json,
            OrchestratorLog.tools_used,
            Submission.doc_class,
            Run.reopened,
        )
        .join(Run, Run.run_id == OrchestratorLog.run_id)
        .join(Submission, Submission.id == OrchestratorLog.submission_id)
        .where(
            OrchestratorLog.season_id == season_id,
            or_(
                OrchestratorLog.action_taken == Step.SECOND_READER.value,
                and_(OrchestratorLog.action_taken == Step.RUN_PIPELINE.value, ~later),
            ),
            Run.status.in_(_ENDED),
            Run.run_no == Submission.run_no,
            Submission.status.not_in(_GONE),
        )
        .order_by(OrchestratorLog.timestamp.desc())
        .limit(last)
    )
    with context.database.reading() as session:
        rows = session.execute(query).all()
    return [
        PastReading(
            row.submission_id,
            row.run_id,
            ((row.trace_json or {}).get("values") or {}).get("confidence"),
            recorded_reading(row.trace_json or {}, row.doc_class, policy, row.tools_used),
            row.reopened,
        )
        for row in rows
    ]


def _of(one: PastReading, policy: Policy) -> Policy:
    return policy.model_copy(update={"auto_complete": False}) if one.held_back else policy


class Rule(LabelledEnum, places=("rule", "rules")):
    """Keys of the rules; the settings apply where a season sets none."""

    COMPLETE_CONFIDENCE = "complete_confidence", "Confidence at which an entry is completed without review"
    WEAK_FIELD_CONFIDENCE = "weak_field_confidence", "Confidence below which a field needs review"
    RETRY_CONFIDENCE = "retry_confidence", "Confidence below which a model is asked"
    AUTO_COMPLETE = "auto_complete", "Entries may be completed without review"
    AGREED_COMPLETES = "agreed_completes", "Two readers that agree may complete an entry"
    ONE_ENTRY_EACH = "one_entry_each", "Only one entry per person"
    MIN_ESSAY_WORDS = "min_essay_words", "Minimum words in an essay"
    MAX_ESSAY_WORDS = "max_essay_words", "Maximum words in a corrected essay"
    MAX_ESSAY_CHARACTERS = "max_essay_characters", "Maximum characters in a corrected essay"
    WAIVED_BY = "waived_by", "Who may accept an entry as it is"
    MAY_STAY_EMPTY = "may_stay_empty", "Required fields that may be accepted empty"
    DEFAULT_REQUIRED = "default_required", "Required fields"
    REQUIRED = "required", "Required fields for some kinds of files"
    REQUIRED_BY_FORM = "required_by_form", "Required fields for some forms"
    MAX_TRIES = "max_tries", "Maximum readings of one entry"
    MAX_STEPS = "max_steps", "Maximum steps in one run"
    FORM_PROFILES = "form_profiles", "Forms in use"
    RETENTION_DAYS = "retention_days", "Days entries are kept after the season ends"
    DEADLINE = "deadline", "Deadline: last day an entry is on time"


#: Rules that have columns of their own; the others are keys of `seasons.policy`.
_COLUMNS = (Rule.FORM_PROFILES, Rule.RETENTION_DAYS, Rule.DEADLINE)
#: Rules that the next season does not inherit.
OF_ONE_SEASON = (Rule.DEADLINE,)
MOST_DAYS = 36_500


def rules_of(season: Season) -> dict[str, Any]:
    """Return the rules that the season sets, by their keys, as JSON."""
    columns = {rule.value: getattr(season, rule.value) for rule in _COLUMNS}
    if season.deadline is not None:
        columns[Rule.DEADLINE.value] = season.deadline.isoformat()
    return {**season.policy, **{key: value for key, value in columns.items() if value}}


def write_rules(season: Season, rules: Mapping[str, Any]) -> None:
    """Give the season these rules and no others."""
    season.policy = {key: value for key, value in rules.items() if key not in _COLUMNS}
    season.form_profiles = list(rules.get(Rule.FORM_PROFILES, ()))
    season.retention_days = rules.get(Rule.RETENTION_DAYS)
    deadline = rules.get(Rule.DEADLINE)
    season.deadline = date.fromisoformat(deadline) if deadline else None


def changed_rules(settings: Settings, own: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a season's own rules after these changes, as JSON; a change to None leaves the rule to the settings.

    Raises InvalidInputError for a rule that does not exist or a value that is not possible.
    """
    if unknown := sorted(changes.keys() - set(keys_of(Rule))):
        raise InvalidInputError(SeasonRefused.NO_SUCH_RULE, names=unknown)
    after = {key: value for key, value in {**own, **changes}.items() if value is not None}
    columns = {rule.value: after.pop(rule.value) for rule in _COLUMNS if rule.value in after}
    if faults := rules_that_do_not_fit(settings, after):
        if faults == [""]:
            raise InvalidInputError(SeasonRefused.FIELDS_UNKNOWN)
        raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=faults)
    policy = policy_of(settings, after)
    return {**policy.model_dump(mode="json", include=set(after)), **_columns(columns)}


def policy_by(settings: Settings, rules: Mapping[str, Any]) -> Policy:
    """Return the policy that a season's own rules make, without its schools."""
    return policy_of(settings, {key: value for key, value in rules.items() if key not in _COLUMNS})


def _columns(given: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if forms := given.get(Rule.FORM_PROFILES):
        if unknown := sorted(set(forms) - set(known_forms())):
            raise InvalidInputError(SeasonRefused.FORMS_UNKNOWN, names=unknown)
        # In a fixed order, so that equal forms are equal rules.
        found[Rule.FORM_PROFILES.value] = [key for key in known_forms() if key in forms]
    if (days := given.get(Rule.RETENTION_DAYS)) is not None:
        if not str(days).isdecimal() or not 1 <= int(days) <= MOST_DAYS:
            raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=[Rule.RETENTION_DAYS.value])
        found[Rule.RETENTION_DAYS.value] = int(days)
    if deadline := given.get(Rule.DEADLINE):
        found[Rule.DEADLINE.value] = _day(str(deadline))
    return found


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError as exc:
        raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=[Rule.DEADLINE.value]) from exc


# Build the policy of a season, whose own values take precedence over the settings. The only place that does.


#: Fields of the policy that have a setting of the same name.
FROM_SETTINGS = tuple(name for name in Policy.model_fields if name in Settings.model_fields)


def policy_of(
    settings: Settings,
    season: Mapping[str, Any] | None = None,
    known_schools: Mapping[str, list[str]] | None = None,
    taught_schools: Sequence[str] = (),
) -> Policy:
    """Return the policy of a season; `season` holds its own values by the names of the policy's fields.

    Raises ConfigurationError, naming each invalid rule of the season.
    """
    schools = {"known_schools": dict(known_schools or {}), "taught_schools": tuple(taught_schools)}
    try:
        return Policy.model_validate({**_defaults(settings), **(season or {}), **schools})
    except ValidationError as exc:
        faults = [f"{'.'.join(map(str, error['loc'])) or 'policy'}: {error['msg']}" for error in exc.errors()]
        raise ConfigurationError(f"the season's policy: {'; '.join(faults)}") from exc


#: Least audited values that two readers agreed on, for their share right to be the confidence of agreement, and
#: the greatest such confidence.
LEAST_AGREED, MOST_AGREED = 30, 0.97


def agreement_by_audits(session: Session, season_id: uuid.UUID) -> dict[str, float]:
    """Return the rule `agreed_confidence` by the season's audits; nothing while they are too few.

    It is the share right of the values that counted as sure only because both readers have them, each weighted
    with 1 / the probability of its draw.
    """
    weight = 1 / Audit.probability
    right = AuditField.finding.in_((AuditFinding.SAME.value, AuditFinding.MACHINE.value))
    number, total, is_right = session.execute(
        select(func.count(), func.sum(weight), func.coalesce(func.sum(weight).filter(right), 0.0))
        .select_from(AuditField)
        .join(Audit, Audit.id == AuditField.audit_id)
        .where(
            Audit.season_id == season_id,
            Audit.status == AuditStatus.SETTLED.value,
            AuditField.agreed,
            AuditField.finding != AuditFinding.UNCLEAR.value,
        )
    ).one()
    if number < LEAST_AGREED:
        return {}
    return {"agreed_confidence": min(MOST_AGREED, round(float(is_right) / float(total), 4))}


def rules_that_do_not_fit(settings: Settings, season: Mapping[str, Any]) -> list[str]:
    """Return the keys of the season's invalid rules; "" for an invalid combination of them."""
    try:
        Policy.model_validate({**_defaults(settings), **season})
    except ValidationError as exc:
        return list(dict.fromkeys(str(error["loc"][0]) if error["loc"] else "" for error in exc.errors()))
    return []


def _defaults(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in FROM_SETTINGS}
