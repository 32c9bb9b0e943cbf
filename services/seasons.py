"""The season that is open: its rules for names of schools, values that it offers, entries after its deadline."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, InvalidInputError, existing
from core.models import (
    COMPLETE_STATUSES,
    BatchDefault,
    Profile,
    School,
    SchoolAlias,
    SchoolCount,
    Season,
    Submission,
    SubmissionField,
    UploadBatch,
)
from pipeline.extraction.values.text import plain_text
from pipeline.profiles import FieldKind, Forms, fields_of_form, fields_of_kind
from pipeline.validate import DEFAULT_FIELDS, LANGUAGE, NO_DEFAULTS, Defaults
from pipeline.validation.policy import Policy
from services.accounts.person import name_of
from services.messages.entries import BatchConflict
from services.messages.office import SeasonRefused
from services.policy import agreement_by_audits, policy_of

#: Least number of settled entries that make a school's spelling known where no person decided it.
ENOUGH = 2


def current_season(session: Session) -> Season:
    """Return the season that new entries belong to; create the first one, called by its year, if none exists."""
    current = select(Season).where(Season.is_current)
    season = session.scalar(current)
    if season is None:
        # Two processes of a new installation may come here at once: the second waits, and takes the first one's.
        session.execute(insert(Season).values(name=str(utcnow().year), is_current=True).on_conflict_do_nothing())
        season = session.scalars(current).one()
    return season


def require_open(session: Session, season_id: uuid.UUID) -> None:
    """Keep a season open until the transaction ends. Raises InvalidInputError if it is closed.

    Call it in the transaction that records an upload, or changes what an uploader said of one: the season may have
    been closed since it was chosen. Its entries are decided as before.
    """
    found = select(Season.name, Season.closed_at).where(Season.id == season_id).with_for_update(read=True)
    season = session.execute(found).one()
    if season.closed_at is not None:
        raise InvalidInputError(SeasonRefused.IS_CLOSED, season=season.name)


def shown_season(session: Session, season_id: uuid.UUID | None) -> Season:
    """Return the season that somebody looks at: the given one, else the current one. Raises NotFoundError."""
    season = current_season(session) if season_id is None else session.get(Season, season_id)
    return existing(season, "no such season")


def season_called(session: Session, name: str) -> Season:
    """Return the season of this name. Raises NotFoundError."""
    return existing(session.scalar(select(Season).where(Season.name == name)), f"no season “{name}”")


def season_policy(
    session: Session,
    season_id: uuid.UUID,
    settings: Settings,
    but_batch: uuid.UUID | None = None,
    with_taught: bool = True,
) -> Policy:
    """Return the policy for a season's entries; those of the batch `but_batch` teach it no schools.

    Without `with_taught` it knows the schools of the list only: the others are counted over all settled entries.
    Raises ConfigurationError if the season's rules are invalid.
    """
    taught = taught_schools(session, season_id, but_batch) if with_taught else []
    listed = school_list(session, season_id)
    rules = _rules_in_force(session, season_id)
    return policy_of(settings, rules, listed, [one.name for one in taught if one.counts])


def season_rules(session: Session, season_id: uuid.UUID, settings: Settings) -> Policy:
    """Return the policy of a season without its schools. Raises ConfigurationError if the rules are invalid."""
    return policy_of(settings, _rules_in_force(session, season_id))


def _rules_in_force(session: Session, season_id: uuid.UUID) -> dict[str, Any]:
    """Return the season's own rules, and what its audits say of the agreement of two readers."""
    return {**agreement_by_audits(session, season_id), **session.get_one(Season, season_id).policy}


def forms_in_use(session: Session, season_id: uuid.UUID) -> Forms:
    """Return the forms that the season's pages may be matched with."""
    return tuple(session.get_one(Season, season_id).form_profiles)


def school_list(session: Session, season_id: uuid.UUID) -> dict[str, list[str]]:
    """Return {name: aliases} of the season's school list."""
    rows = session.execute(
        select(School.name, SchoolAlias.alias)
        .outerjoin(SchoolAlias, SchoolAlias.school_id == School.id)
        .where(School.season_id == season_id)
        .order_by(School.name, SchoolAlias.alias)
    )
    schools: dict[str, list[str]] = {}
    for name, alias in rows:
        schools.setdefault(name, []).extend([] if alias is None else [alias])
    return schools


def give_defaults(
    session: Session,
    batch: UploadBatch,
    person_id: uuid.UUID,
    given: Mapping[str, str],
    version: int = 0,
    undoes: uuid.UUID | None = None,
) -> BatchDefault:
    """Store the values as the change that follows `version`; 0: the first one. The caller has checked them.

    Raises ConflictError if another change has followed it.
    """
    row: BatchDefault | None = session.scalar(
        insert(BatchDefault)
        .values(
            season_id=batch.season_id,
            batch_id=batch.id,
            version=version + 1,
            given_by=person_id,
            given=dict(given),
            undoes=undoes,
            # Not when the transaction began, which may have waited: `settle_run` tells by it what a run missed.
            created_at=func.clock_timestamp(),
        )
        .on_conflict_do_nothing()
        .returning(BatchDefault)
    )
    if row is None:
        raise ConflictError(BatchConflict.DEFAULTS_CHANGED)
    return row


# Values that an entry's upload suggests for its empty fields; a person takes them or does not.


def offered_values(
    session: Session, submission: Submission, stored: Mapping[str, str | None]
) -> Mapping[str, str]:
    """Return {field: value} for fields of the entry that are empty; `stored`: its present values.

    These are the values given for the batch; else the values that all settled entries of the upload share.
    """
    asked = fields_of_form(submission.profile, submission.profile_version)
    empty = [name for name in DEFAULT_FIELDS if name in asked and not (stored.get(name) or "").strip()]
    if not empty:
        return {}
    given = defaults_in_force(session, submission.batch_id).values
    offered = {**_shared(session, submission), **given}
    return {name: offered[name] for name in empty if name in offered}


def _shared(session: Session, submission: Submission) -> dict[str, str]:
    """Return {field: value} for fields with the same value in all settled entries of the upload."""
    others = (
        Submission.upload_id == submission.upload_id,
        Submission.id != submission.id,
        Submission.status.in_(COMPLETE_STATUSES),
    )
    number = select(func.count()).select_from(Submission).where(*others).correlate(None).scalar_subquery()
    rows = session.execute(
        select(SubmissionField.name, func.min(SubmissionField.value))
        .join(Submission, Submission.id == SubmissionField.submission_id)
        .where(*others, SubmissionField.name.in_(DEFAULT_FIELDS), SubmissionField.value.is_not(None))
        .group_by(SubmissionField.name)
        .having(func.count(SubmissionField.value.distinct()) == 1, func.count() == number)
    )
    return {row[0]: row[1] for row in rows if row[1]}


def is_late() -> ColumnElement[bool]:
    """Return a condition on `Submission`; without a deadline, and on its day, nothing is late."""
    deadline = (
        select(Season.deadline).where(Season.id == Submission.season_id).correlate(Submission).scalar_subquery()
    )
    return func.coalesce(Submission.received_on > deadline, False)


# What the settled entries of a season teach about its schools: how they are written, and by how many entries.
#
# Nothing is stored: it is counted from the entries that are settled now, so that an entry that was reopened,
# rejected or replaced does not count, and no decision counts twice.


@dataclass(frozen=True)
class TaughtSchool:
    """A school's name as settled entries have it."""

    #: The most frequent of the forms that differ in case, accents and spaces only.
    name: str
    #: Number of settled entries.
    settled: int
    #: Whether a person typed or approved the name; only determined for a name that one entry has.
    by_person: bool

    @property
    def counts(self) -> bool:
        """Whether the name is known from now on."""
        return self.settled >= ENOUGH or self.by_person


def taught_schools(
    session: Session, season_id: uuid.UUID, but_batch: uuid.UUID | None = None
) -> list[TaughtSchool]:
    """Return the school names of the season's settled entries, the most frequent first.

    Entries of the batch `but_batch` are left out.
    """
    forms: dict[str, Counter[str]] = {}
    for name, settled in _settled(session, season_id, but_batch).items():
        forms.setdefault(plain_text(name), Counter())[name] = settled
    single = [name for found in forms.values() if found.total() == 1 for name in found]
    decided = _decided_by_person(session, season_id, but_batch, single)
    taught = [
        TaughtSchool(
            min(found, key=lambda form: (-found[form], form)), found.total(), not decided.isdisjoint(found)
        )
        for found in forms.values()
    ]
    return sorted(taught, key=lambda one: (-one.settled, one.name))


def _settled(session: Session, season_id: uuid.UUID, but_batch: uuid.UUID | None) -> Counter[str]:
    """Return how many settled entries have each school name, without those of the batch."""
    number = func.sum(SchoolCount.number)
    in_all = session.execute(
        select(SchoolCount.school_name, number)
        .where(SchoolCount.season_id == season_id, SchoolCount.status.in_(COMPLETE_STATUSES))
        .group_by(SchoolCount.school_name)
        .having(number > 0)
    )
    found = Counter({name: int(settled) for name, settled in in_all if name})
    if but_batch is not None:
        of_batch = session.execute(
            select(Submission.school_name, func.count())
            .where(Submission.batch_id == but_batch, Submission.status.in_(COMPLETE_STATUSES))
            .group_by(Submission.school_name)
        )
        found -= Counter({name: settled for name, settled in of_batch if name})
    return found


def _decided_by_person(
    session: Session, season_id: uuid.UUID, but_batch: uuid.UUID | None, names: Collection[str]
) -> set[str]:
    """Return those of the names that a person typed or approved in one of the settled entries.

    Each of the names is of one entry. These are found first: the planner expects a name to be as common as others,
    and would look through the values of all entries.
    """
    if not names:
        return set()
    found = session.execute(
        select(Submission.id, Submission.school_name).where(
            Submission.season_id == season_id,
            Submission.status.in_(COMPLETE_STATUSES),
            Submission.school_name.in_(names),
            true() if but_batch is None else Submission.batch_id != but_batch,
        )
    )
    entries = {row.id: row.school_name for row in found if row.school_name}
    decided = select(SubmissionField.submission_id).where(
        SubmissionField.submission_id.in_(entries),
        SubmissionField.name.in_(fields_of_kind(FieldKind.SCHOOL)),
        SubmissionField.decided_at.is_not(None),
    )
    return {entries[key] for key in session.scalars(decided)}


def latest_row(session: Session, batch_id: uuid.UUID) -> BatchDefault | None:
    """Return the change that is in force, None if none was ever given."""
    of_batch = select(BatchDefault).where(BatchDefault.batch_id == batch_id)
    return session.scalar(of_batch.order_by(BatchDefault.version.desc()).limit(1))


def hold_said(session: Session, batch_id: uuid.UUID, *, to_change: bool = False) -> None:
    """Let nobody else change what was said of a batch, its values and its day, until the transaction ends.

    Call it before reading what is written to an entry. Many may read at once; one changes it alone, which
    `batch_to_change` is for. It is locked after entries and the batch, see `lock_entry`.
    """
    key = func.hashtextextended(f"said:{batch_id}", 0)
    session.execute(
        select(func.pg_advisory_xact_lock(key) if to_change else func.pg_advisory_xact_lock_shared(key))
    )


def defaults_in_force(session: Session, batch_id: uuid.UUID) -> Defaults:
    """Return the values used where a page of the batch gives none, with the name of who gave them."""
    row = session.execute(
        select(BatchDefault.given, name_of(Profile).label("name"))
        .join(Profile, Profile.id == BatchDefault.given_by)
        .where(BatchDefault.batch_id == batch_id)
        .order_by(BatchDefault.version.desc())
        .limit(1)
    ).one_or_none()
    return NO_DEFAULTS if row is None else _defaults(row.given, row.name)


def defaults_by(session: Session, given: dict[str, str], person_id: uuid.UUID) -> Defaults:
    """Return values as given by this person."""
    return _defaults(given, session.scalars(select(name_of(Profile)).where(Profile.id == person_id)).one())


def _defaults(given: Mapping[str, str], by: str | None) -> Defaults:
    values = {key: value for key, value in given.items() if key != LANGUAGE}
    return Defaults(values=values, language=given.get(LANGUAGE), given_by=by)


def defaults_of_submission(session: Session, submission_id: uuid.UUID) -> Defaults:
    """Return the defaults of an entry's batch."""
    return defaults_in_force(session, session.get_one(Submission, submission_id).batch_id)
