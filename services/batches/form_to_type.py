"""What the page asks for on which an entry is typed in."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select

from core.errors import NotFoundError
from core.messages import Message
from core.models import Submission, Upload, UploadBatch, UploadStatus
from pipeline.profiles import ProfileKind, all_profiles
from pipeline.profiles.declared import derived_fields, fields_of_form
from services.accounts.person import Person
from services.context import Context
from services.defaults.in_force import defaults_in_force
from services.seasons import current_season, forms_in_use
from services.visibility import visible_to


@dataclass(frozen=True)
class FormToType:
    """The fields of the chosen form, with what is known of the batch already."""

    form: str
    #: Keys of the forms that can be chosen.
    forms: list[str]
    fields: list[str]
    values: dict[str, str]
    batch_id: uuid.UUID | None
    upload_id: uuid.UUID | None = None
    filename: str | None = None
    #: Why the file could not be read.
    why: Message | None = None


def form_to_type(
    context: Context,
    person: Person,
    form: str | None = None,
    upload_id: uuid.UUID | None = None,
    batch_id: uuid.UUID | None = None,
) -> FormToType:
    """Return what to ask for; without a form that there is, by the one that the season had last.

    Raises NotFoundError for a file that has not failed, and for one or a batch that this person may not see.
    """
    with context.database.session() as session:
        upload = None
        if upload_id is not None:
            upload = session.scalar(
                select(Upload).where(
                    Upload.id == upload_id,
                    Upload.status == UploadStatus.FAILED.value,
                    visible_to(person, Upload.uploaded_by),
                )
            )
            if upload is None:
                raise NotFoundError("no failed file of this id for this person")
            batch_id = upload.batch_id
        season_id = current_season(session).id
        if batch_id is not None:
            of_batch = select(UploadBatch.season_id)
            seen = session.scalar(
                of_batch.where(UploadBatch.id == batch_id, visible_to(person, UploadBatch.uploaded_by))
            )
            if seen is None:
                raise NotFoundError("no such batch for this person")
            season_id = seen
        last = session.scalar(
            select(Submission.profile)
            .where(Submission.season_id == season_id, Submission.profile.is_not(None))
            .order_by(Submission.created_at.desc())
            .limit(1)
        )
        used = forms_in_use(session, season_id)
        values = {} if batch_id is None else defaults_in_force(session, batch_id).values
    profiles = {key: one for key, one in all_profiles().items() if one.kind is not ProfileKind.ESSAY_PAGE}
    newest = sorted((key for key, one in profiles.items() if one.kind is ProfileKind.FORM), reverse=True)
    chosen = next(key for key in (form, last, *used, *newest, *profiles) if key in profiles)
    return FormToType(
        form=chosen,
        forms=list(profiles),
        fields=[name for name in fields_of_form(chosen) if name not in derived_fields()],
        values=dict(values),
        batch_id=batch_id,
        upload_id=upload_id,
        filename=upload.original_filename if upload else None,
        why=upload.error if upload else None,
    )
