"""Versions of a contest's forms: listed, saved, retired."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime

import tomli_w
from pydantic import ValidationError
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError, existing
from core.models import FormGeneration, FormProfile, FormStatus, SecurityEventKind, Submission
from core.plain_data import built
from pipeline.profiles import FormSpec, ProfileKind
from services.accounts.person import name_by_id
from services.audit import record_event
from services.context import Context
from services.forms.check_form import check_form, check_patterns, checked_profile, definition_of, parsed_toml
from services.forms.in_use import described, form_profile_of, load_forms
from services.messages.entries import FormConflict, FormRefused


def export_toml(profile: FormSpec) -> str:
    """Return the complete form as TOML, without its version; `import_toml` makes the same form of it."""
    return tomli_w.dumps(definition_of(profile))


def import_toml(text: str) -> FormSpec:
    """Return the form that a TOML file describes, without a version.

    Raises InvalidInputError for invalid TOML or no form; `save_version` checks the rest.
    """
    profile = parsed_toml(text)
    check_patterns(profile)
    return profile


@dataclass(frozen=True)
class FormVersion:
    """One version of a form; only its status ever changes."""

    id: uuid.UUID
    key: str
    version: int
    label: str
    kind: ProfileKind
    status: FormStatus
    #: With `version` set, as pages are matched with it.
    profile: FormSpec
    #: Key of the empty form in the file store, a PDF; None if nobody gave one.
    blank_key: str | None
    #: Who made it, by the name that is shown; None for the command line.
    made_by: str | None
    made_at: datetime
    #: Who last changed its status, and when.
    status_by: str | None
    status_at: datetime


def form_version(context: Context, key: str, version: int | None = None) -> FormVersion:
    """Return a version of a form; None: the one in use, else the newest. Raises NotFoundError."""
    with context.database.reading() as session:
        return form_version_of(session, version_row(session, key, version))


def blank_pdf(context: Context, of: FormVersion) -> bytes | None:
    """Return the empty form, None if nobody gave one. Raises what the file store raises."""
    return context.store.get(of.blank_key) if of.blank_key else None


def version_row(session: Session, key: str, version: int | None) -> FormProfile:
    """Return the row of a version; None: the one in use, else the newest. Raises NotFoundError."""
    query = select(FormProfile).where(FormProfile.key == key)
    if version is None:
        query = query.order_by((FormProfile.status == FormStatus.ACTIVE.value).desc(), FormProfile.version.desc())
    else:
        query = query.where(FormProfile.version == version)
    return existing(session.scalars(query.limit(1)).first(), "no such form")


def _shown_profile(row: FormProfile) -> FormSpec:
    """Return the profile of a row, an empty one of that name if this program does not take it."""
    try:
        return form_profile_of(row)
    except ValidationError:
        kind = ProfileKind(row.kind)
        return FormSpec.model_construct(
            key=row.key, label=row.label, kind=kind, version=row.version, fields={}, printed=()
        )


def form_version_of(session: Session, row: FormProfile) -> FormVersion:
    """Return a row with the names of the people who made it."""
    return built(
        FormVersion,
        row,
        kind=ProfileKind(row.kind),
        status=FormStatus(row.status),
        profile=_shown_profile(row),
        made_by=name_by_id(session, row.made_by),
        made_at=row.created_at,
        status_by=name_by_id(session, row.status_by),
    )


@dataclass(frozen=True)
class ListedForm:
    key: str
    #: Newest first; never empty.
    versions: tuple[FormVersion, ...]
    #: Number of entries read with any version of it.
    submissions: int

    @property
    def active(self) -> FormVersion | None:
        """The version in use; None for a form that is retired or only a draft."""
        return next((one for one in self.versions if one.status is FormStatus.ACTIVE), None)

    @property
    def label(self) -> str:
        """The name of the version in use, else of the newest."""
        return (self.active or self.versions[0]).label


def list_forms(context: Context) -> list[ListedForm]:
    """Return the forms of the database, last changed first; the forms in files are not among them."""
    with context.database.reading() as session:
        rows = session.scalars(select(FormProfile).order_by(FormProfile.version.desc())).all()
        keys = sorted({row.key for row in rows}, key=lambda key: max(r.status_at for r in rows if r.key == key))
        counts = session.execute(
            select(Submission.profile, func.count())
            .where(Submission.profile.in_(keys))
            .group_by(Submission.profile)
        )
        counted = {row[0]: row[1] for row in counts}
        return [
            ListedForm(
                key, tuple(form_version_of(session, row) for row in rows if row.key == key), counted.get(key, 0)
            )
            for key in reversed(keys)
        ]


def retire_form(context: Context, actor_id: uuid.UUID | None, key: str) -> None:
    """Take a form out of use: no page is matched with it any more; its entries keep their fields and labels.

    Raises ConflictError if it is not in use.
    """
    with context.database.session() as session:
        version = retire_active(session, key, actor_id)
        if version is None:
            raise ConflictError(FormConflict.NOT_IN_USE)
        record_event(session, SecurityEventKind.FORM_RETIRED, actor_id=actor_id, form=key, version=version)
    load_forms(context)


def put_into_use(
    context: Context, actor_id: uuid.UUID | None, key: str, version: int | None = None
) -> FormVersion:
    """Put a version of a form into use, a draft or a retired one, in place of the one in use; None: the newest.

    Raises NotFoundError, ConflictError if it is in use, and InvalidInputError if it cannot be used any more.
    """
    load_forms(context)
    with context.database.session() as session:
        if version is None:
            newest = _newest(session, key)
            version = newest.version if newest else 0
        given = described(version_row(session, key, version))
    check_form(checked_profile(given))
    with context.database.session() as session:
        session.execute(select(FormGeneration.name).with_for_update())
        row = version_row(session, key, version)
        if row.status == FormStatus.ACTIVE:
            raise ConflictError(FormConflict.IN_USE)
        retire_active(session, key, actor_id)
        session.execute(
            update(FormProfile)
            .where(FormProfile.id == row.id)
            .values(status=FormStatus.ACTIVE.value, status_by=actor_id, status_at=utcnow())
        )
        record_event(session, SecurityEventKind.FORM_BROUGHT_BACK, actor_id=actor_id, form=key, version=version)
        session.refresh(row)
        again = form_version_of(session, row)
    load_forms(context)
    return again


def save_version(
    context: Context,
    actor_id: uuid.UUID | None,
    profile: FormSpec,
    blank: bytes | None = None,
    *,
    draft: bool = False,
    based_on: int | None = None,
) -> FormVersion:
    """Save the form as the next version of its key and return it; it is in use at once, unless it is a draft.

    `blank` is the empty form as a PDF; None keeps that of the version before. `based_on` is the version that the
    person changed (0 for a new form); None: the newest. `profile.version` is ignored.

    Raises InvalidInputError for a form that cannot be used (see `check_form`) and for a `blank` that is no PDF,
    ConflictError if another version was saved meanwhile, and what the file store raises.
    """
    load_forms(context)
    check_form(profile)
    blank_key = None if blank is None else _store(context, profile.key, blank)
    with context.database.session() as session:
        # Saves wait for each other.
        session.execute(select(FormGeneration.name).with_for_update())
        before = _newest(session, profile.key)
        if based_on is not None and based_on != (before.version if before else 0):
            raise ConflictError(FormConflict.CHANGED)
        if not draft:
            retire_active(session, profile.key, actor_id)
        row = FormProfile(
            key=profile.key,
            version=before.version + 1 if before else 1,
            label=profile.label,
            kind=profile.kind.value,
            definition=definition_of(profile),
            blank_key=blank_key or (before.blank_key if before else None),
            status=(FormStatus.DRAFT if draft else FormStatus.ACTIVE).value,
            made_by=actor_id,
            status_by=actor_id,
        )
        session.add(row)
        record_event(session, SecurityEventKind.FORM_SAVED, actor_id=actor_id, form=row.key, version=row.version)
        session.flush()
        saved = form_version_of(session, row)
    load_forms(context)
    return saved


def retire_active(session: Session, key: str, actor_id: uuid.UUID | None) -> int | None:
    """Retire the version of a form that is in use and return its number, None if there is none."""
    return session.scalar(
        update(FormProfile)
        .where(FormProfile.key == key, FormProfile.status == FormStatus.ACTIVE.value)
        .values(status=FormStatus.RETIRED.value, status_by=actor_id, status_at=utcnow())
        .returning(FormProfile.version)
    )


def _newest(session: Session, key: str) -> FormProfile | None:
    query = select(FormProfile).where(FormProfile.key == key).order_by(FormProfile.version.desc()).limit(1)
    return session.scalars(query).first()


def _store(context: Context, key: str, blank: bytes) -> str:
    if not blank.startswith(b"%PDF-"):
        raise InvalidInputError(FormRefused.NO_PDF)
    stored = f"forms/{key}/{hashlib.sha256(blank).hexdigest()}.pdf"
    context.store.put(stored, blank, "application/pdf")
    return stored
