"""Read and write the record of an entry. No other module writes its fields, evidence and projected columns.

Every write copies student, school, grade and number of words (shown in lists) and phone numbers and e-mail
addresses (found by searches) to `submissions`. Status, reason codes and missing fields are not part of the record;
the service that settles the entry writes them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import NotFoundError
from core.messages import Message
from core.models import FieldEvidence, School, SchoolAlias, SchoolSpelling, Season, Submission, SubmissionField
from pipeline.extraction.values.names import ListedNames
from pipeline.extraction.values.text import plain_text
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import FieldKind, fields_of_form, fields_of_kind, known_profile
from pipeline.schema import FIELD_NAMES, Agreement, EvidenceBox, FieldReading, SecondReading, SubmissionRecord
from pipeline.validate import CONFIDENCE, METHOD

#: Columns of a field that `keep_fields` saves and `restore_fields` restores.
_KEPT = ("value", "confidence", "source", "method", "way", "probability", "decided_by", "decided_at", "run_no")
#: Parsers of the saved columns that are not plain JSON.
_FROM_JSON: Mapping[str, Callable[[str], Any]] = {"decided_by": uuid.UUID, "decided_at": datetime.fromisoformat}
#: Most characters of a phone number or an address that an entry is found by.
_MAX_CONTACT = 320
#: Columns of the entry that show fields, and the kind of the field that replaces one that its form lacks.
_PROJECTED = {
    "student_name": FieldKind.PERSON,
    "school_name": FieldKind.SCHOOL,
    "grade": FieldKind.GRADE,
    "word_count": None,
}


def get_record_by_id(session: Session, submission_id: uuid.UUID) -> SubmissionRecord:
    """The record as it is stored. Raises NotFoundError."""
    submission = session.get(Submission, submission_id)
    if submission is None:
        raise NotFoundError("no such entry")
    return record_of(submission, evidence_of(session, _fields(session, submission_id)))


def evidence_of(
    session: Session, fields: Collection[SubmissionField]
) -> dict[SubmissionField, list[FieldEvidence]]:
    """Return each of these fields with the pieces of pages that it was read from, in reading order."""
    by_id = {field.id: field for field in fields}
    pieces = session.scalars(
        select(FieldEvidence)
        .where(FieldEvidence.field_id.in_(by_id))
        .order_by(FieldEvidence.field_id, FieldEvidence.ordinal)
    )
    evidence: dict[SubmissionField, list[FieldEvidence]] = {field: [] for field in fields}
    for piece in pieces:
        evidence[by_id[piece.field_id]].append(piece)
    return evidence


def get_field_values(
    session: Session, submission_id: uuid.UUID, names: Collection[str] = FIELD_NAMES
) -> dict[str, str | None]:
    """The stored values of these fields by name; a field without a row is left out."""
    rows = session.execute(
        select(SubmissionField.name, SubmissionField.value).where(
            SubmissionField.submission_id == submission_id, SubmissionField.name.in_(names)
        )
    )
    return {row.name: row.value for row in rows}


def save_record(session: Session, record: SubmissionRecord, run_no: int) -> None:
    """Replace all fields of the entry and their evidence by those of a run's reading."""
    submission = session.get_one(Submission, uuid.UUID(record.submission_id))
    session.execute(delete(SubmissionField).where(SubmissionField.submission_id == submission.id))
    names = fields_of_form(record.profile, record.profile_version)
    rows = [field_row(submission, record, name, run_no) for name in names]
    session.add_all(rows)
    session.flush()
    session.add_all(piece for row in rows for piece in evidence_rows(row, record))
    submission.profile, submission.profile_version = record.profile, record.profile_version
    submission.ocr_confidence_avg = record.ocr_confidence_avg
    submission.waived = list(record.waived)
    _project(session, submission, {name: stored_value(record, name) for name in names}, whole=True)


def update_record(
    session: Session,
    submission_id: uuid.UUID,
    updates: Mapping[str, str | None],
    decided_by: uuid.UUID | None = None,
    origins: Mapping[str, FieldReading] | None = None,
) -> dict[str, str | None]:
    """Write values that a person decided; their evidence is kept.

    A value equal to the stored one is confirmed and keeps its origin. A value in a reading of `origins` gets that
    reading's source; any other was typed and gets the source `person` and certainty. Returns the replaced values
    by name.
    """
    origins = origins or {}
    submission = session.get_one(Submission, submission_id)
    fields = _fields_to_change(session, submission, updates)
    before = {name: field.value for name, field in fields.items()}
    for name, value in updates.items():
        field = fields[name]
        if value is None or value != before[name]:
            _give(field, {**_origin(value, origins.get(name)), "run_no": submission.run_no})
        else:
            field.version += 1
        field.decided_by, field.decided_at = decided_by, utcnow()
        field.updated_at = field.decided_at
    _project(session, submission, updates)
    session.flush()
    return before


def _fields_to_change(
    session: Session, submission: Submission, names: Collection[str]
) -> dict[str, SubmissionField]:
    """Return the rows of these fields by name, a new one for each that the entry lacks."""
    fields = {field.name: field for field in _fields(session, submission.id, names)}
    for name in names:
        if name not in fields:
            fields[name] = SubmissionField(
                submission_id=submission.id, season_id=submission.season_id, name=name, version=0
            )
            session.add(fields[name])
    return {name: fields[name] for name in names}


def _origin(value: str | None, reading: FieldReading | None) -> dict[str, Any]:
    """Return the origin of a value that a person gave: a reading that has it, else the person."""
    if value is None or reading is None or reading.value != value or reading.source is None:
        return {"value": value, "confidence": 1.0, "source": Source.PERSON.value, "method": "person"}
    return {
        "value": value,
        "confidence": reading.confidence,
        "source": reading.source.value,
        "method": reading.method,
        "probability": reading.probability,
    }


def fill_defaults(
    session: Session, submission_id: uuid.UUID, values: Mapping[str, str | None], way: Message
) -> dict[str, str | None]:
    """Write default values of the entry's batch; None removes one. `way` names the person who gave them.

    They have no evidence, since no page has them. Returns the replaced values by name.
    """
    submission = session.get_one(Submission, submission_id)
    fields = _fields_to_change(session, submission, values)
    before = {name: field.value for name, field in fields.items()}
    for name, value in values.items():
        given = value is not None
        _give(
            fields[name],
            {
                "value": value,
                "confidence": CONFIDENCE if given else 0.0,
                "source": Source.BATCH_DEFAULT.value if given else None,
                "method": METHOD if given else None,
                "way": way.to_json() if given else None,
                "run_no": submission.run_no,
            },
        )
    _project(session, submission, values)
    session.flush()
    return before


def keep_fields(
    session: Session, submission_id: uuid.UUID, names: Collection[str]
) -> dict[str, dict[str, Any] | None]:
    """Return the JSON by which `restore_fields` undoes an update of these fields; None for one without a row."""
    rows = {field.name: field for field in _fields(session, submission_id, names)}
    return {
        name: {column: _as_json(getattr(rows[name], column)) for column in _KEPT} if name in rows else None
        for name in names
    }


def restore_fields(
    session: Session, submission_id: uuid.UUID, kept: Mapping[str, Mapping[str, Any] | None]
) -> dict[str, tuple[str | None, str | None]]:
    """Restore what `keep_fields` saved. Return {field: (value before, value after)} of the changed values."""
    submission = session.get_one(Submission, submission_id)
    changed: dict[str, tuple[str | None, str | None]] = {}
    for field in _fields(session, submission_id, kept):
        was, values = field.value, kept[field.name]
        if values is None:
            session.delete(field)
        else:
            _give(field, values)
        now = values["value"] if values else None
        if was != now:
            changed[field.name] = (was, now)
    _project(session, submission, {name: now for name, (_, now) in changed.items()})
    return changed


def _fields(
    session: Session, submission_id: uuid.UUID, names: Collection[str] | None = None
) -> Sequence[SubmissionField]:
    query = select(SubmissionField).where(SubmissionField.submission_id == submission_id)
    return session.scalars(query if names is None else query.where(SubmissionField.name.in_(names))).all()


def _give(field: SubmissionField, values: Mapping[str, Any]) -> None:
    for column in _KEPT:
        # Data saved by an earlier version lacks later columns.
        value = values.get(column)
        setattr(field, column, _FROM_JSON[column](value) if column in _FROM_JSON and value is not None else value)
    if field.source == Source.PERSON and field.decided_at is None:
        field.decided_at = utcnow()
    field.version += 1
    field.updated_at = utcnow()


def _as_json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value


def _project(
    session: Session, submission: Submission, values: Mapping[str, str | None], whole: bool = False
) -> None:
    """Copy the values that lists show and searches find. `whole`: `values` are all fields of the entry."""
    form = known_profile(submission.profile, submission.profile_version)
    for column, kind in _PROJECTED.items():
        name: str | None = column
        if form is not None and form.version is not None and column not in form.fields and kind is not None:
            # Lists show the form's first field of the kind.
            name = form.field_of_kind(kind)
        if name in values or whole:
            value = values.get(name or "")
            if column == "school_name" and value and value != submission.school_name:
                note_spelling(session, submission.season_id, value)
            setattr(submission, column, int(value) if column == "word_count" and value else value)
    contacts = fields_of_kind(FieldKind.PHONE, FieldKind.EMAIL)
    if whole or not values.keys().isdisjoint(contacts):
        session.flush()
        found = (field.value for field in _fields(session, submission.id, contacts))
        submission.contacts = sorted({value[:_MAX_CONTACT] for value in found if value})
    submission.updated_at = utcnow()


# Convert rows of an entry to its record.


def record_of(
    submission: Submission, fields: Mapping[SubmissionField, Sequence[FieldEvidence]]
) -> SubmissionRecord:
    """Make the record of an entry from its row, its fields and the evidence of each, in order."""
    values = {field.name: field.value for field in fields if field.name in FIELD_NAMES}
    return SubmissionRecord.model_validate(
        {
            **values,
            "word_count": int(count) if (count := values.get("word_count")) else None,
            "submission_id": str(submission.id),
            "doc_class": submission.doc_class,
            "doc_format": submission.doc_format,
            "profile": submission.profile,
            "profile_version": submission.profile_version,
            "page_start": submission.page_start,
            "page_end": submission.page_end,
            "readings": {field.name: _reading(field, evidence) for field, evidence in fields.items()},
            "needs_review": submission.needs_review,
            "review_reason_codes": submission.review_reason_codes,
            "ocr_confidence_avg": submission.ocr_confidence_avg,
            "waived": submission.waived,
        }
    )


def _reading(field: SubmissionField, evidence: Sequence[FieldEvidence]) -> FieldReading:
    return FieldReading(
        value=field.value,
        confidence=field.confidence,
        source=Source(field.source) if field.source else None,
        method=field.method,
        way=field.way,
        unfit=field.unfit,
        probability=field.probability,
        second=SecondReading(value=field.second_value, agreement=Agreement(field.second_agreement))
        if field.second_agreement
        else None,
        decided_by=str(field.decided_by) if field.decided_by else None,
        decided_at=field.decided_at,
        evidence=[
            EvidenceBox(page=piece.page, box=Box(piece.x0, piece.y0, piece.x1, piece.y1)) for piece in evidence
        ],
    )


# Convert a record to rows of its entry.


def field_row(submission: Submission, record: SubmissionRecord, name: str, run_no: int) -> SubmissionField:
    """Return the row of a field as read. An empty field has a source only if a person emptied it."""
    value = stored_value(record, name)
    reading = record.readings.get(name, FieldReading())
    # An empty value is also known if a person has emptied it.
    given = value is not None or reading.is_decided
    return SubmissionField(
        id=uuid.uuid4(),
        submission_id=submission.id,
        season_id=submission.season_id,
        name=name,
        value=value,
        confidence=reading.confidence if given else 0.0,
        source=reading.source.value if reading.source and given else None,
        method=reading.method,
        way=reading.way if reading.disagrees_with is not None or reading.source is Source.BATCH_DEFAULT else None,
        unfit=reading.unfit,
        probability=reading.probability if given else None,
        decided_by=uuid.UUID(reading.decided_by) if reading.decided_by else None,
        decided_at=reading.decided_at,
        second_value=reading.second.value if reading.second else None,
        second_agreement=reading.second.agreement.value if reading.second else None,
        run_no=run_no,
        **(_place(reading.evidence[0]) if reading.evidence else {}),
    )


def evidence_rows(field: SubmissionField, record: SubmissionRecord) -> list[FieldEvidence]:
    """Return the pieces of pages that the field was read from, in reading order."""
    reading = record.readings.get(field.name, FieldReading())
    return [
        FieldEvidence(field_id=field.id, ordinal=ordinal, **_place(piece))
        for ordinal, piece in enumerate(reading.evidence)
    ]


def stored_value(record: SubmissionRecord, name: str) -> str | None:
    """Return a field's value as text (numbers too), as `submission_fields.value` stores it."""
    return record.value_of(name)


def _place(piece: EvidenceBox) -> dict[str, Any]:
    return {"page": piece.page, "x0": piece.box.x0, "y0": piece.box.y0, "x1": piece.box.x1, "y1": piece.box.y1}


# The school that each spelling in a season's entries means; updated when names are written and lists change.


#: The distinct names in the season's entries, each found through the index from the previous one.
_WRITTEN = text(
    """
    with recursive written (name) as (
      (select min(school_name) from submissions where season_id = :season)
      union all
      select (select min(s.school_name) from submissions s where s.season_id = :season and s.school_name > w.name)
        from written w where w.name is not null
    )
    select name from written where name is not null
    """
)


def note_spelling(session: Session, season_id: uuid.UUID, spelling: str) -> None:
    """Add an entry's new name to the spellings of the season."""
    row = insert(SchoolSpelling).values(season_id=season_id, spelling=spelling, school_key=plain_text(spelling))
    if session.scalar(row.on_conflict_do_nothing().returning(SchoolSpelling.spelling)) is None:
        return
    # A concurrent change of the list holds the lock and does not see this spelling yet.
    session.execute(select(Season.id).where(Season.id == season_id).with_for_update(read=True))
    _settle(session, season_id, [spelling])


def settle_spellings(session: Session, season_id: uuid.UUID) -> None:
    """Synchronise the spellings with the season's entries and its list, which the caller has locked."""
    session.flush()
    written = list(session.scalars(_WRITTEN, {"season": season_id}))
    if written:
        rows = [{"season_id": season_id, "spelling": name, "school_key": plain_text(name)} for name in written]
        session.execute(insert(SchoolSpelling).on_conflict_do_nothing(), rows)
    forget_spellings(session, season_id)
    _settle(session, season_id)


def forget_spellings(session: Session, season_id: uuid.UUID) -> None:
    """Delete the spellings that no entry of the season has now."""
    used = select(Submission.id).where(
        Submission.season_id == season_id, Submission.school_name == SchoolSpelling.spelling
    )
    session.execute(
        delete(SchoolSpelling).where(SchoolSpelling.season_id == season_id, ~used.exists()),
        execution_options={"synchronize_session": False},
    )


def _settle(session: Session, season_id: uuid.UUID, only: Collection[str] | None = None) -> None:
    """Assign spellings to the listed schools that they mean."""
    schools: dict[str, list[str]] = {}
    keys: dict[str, tuple[str, uuid.UUID]] = {}
    rows = session.execute(
        select(School.name, School.name_key, School.id, SchoolAlias.alias)
        .outerjoin(SchoolAlias, SchoolAlias.school_id == School.id)
        .where(School.season_id == season_id)
    )
    for name, key, school_id, alias in rows:
        keys[name] = (key, school_id)
        schools.setdefault(name, []).extend([alias] if alias is not None else [])
    listed = ListedNames(schools)
    query = select(SchoolSpelling.spelling, SchoolSpelling.school_key, SchoolSpelling.school_id).where(
        SchoolSpelling.season_id == season_id
    )
    if only is not None:
        query = query.where(SchoolSpelling.spelling.in_(only))
    for spelling, *stood in session.execute(query).all():
        meant = listed.meant(spelling)
        means = (plain_text(spelling), None) if meant is None else keys[meant]
        if tuple(stood) != means:
            session.execute(
                update(SchoolSpelling)
                .where(SchoolSpelling.season_id == season_id, SchoolSpelling.spelling == spelling)
                .values(school_key=means[0], school_id=means[1]),
                execution_options={"synchronize_session": False},
            )
