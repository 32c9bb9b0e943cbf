"""Validate a person's options for reading an entry again, and create the run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConfigurationError, InvalidInputError
from core.models import Run, RunStatus, Submission, SubmissionStatus, Upload, UploadStatus
from core.models.leases import RUN_LEASES
from pipeline.ocr_providers import REMOTE, get_provider
from pipeline.profiles import all_profiles
from services.audit import event
from services.messages.batch import BatchRefused
from services.messages.refused import Refused
from services.runs.next_run import next_run
from services.runs.pending_items import supersede_items

_KNOWN = ("ocr_provider", "profile")


def options_of(
    settings: Settings, action: Literal["read_again", "ask_model"], options: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the options of the next run. Raises InvalidInputError for unknown or unavailable options."""
    given = {name: value for name, value in (options or {}).items() if value}
    unknown = set(given) - set(_KNOWN)
    if unknown:
        raise InvalidInputError(Refused.OPTION_UNKNOWN, names=sorted(unknown))
    if (name := given.get("ocr_provider")) is not None:
        _check_provider(settings, str(name))
    if (key := given.get("profile")) is not None and key not in all_profiles():
        raise InvalidInputError(Refused.PROFILE_UNKNOWN, name=str(key), choices=list(all_profiles()))
    if action == "ask_model":
        if not settings.model_configured:
            raise InvalidInputError(Refused.NO_MODEL)
        if not settings.use_orchestrator:
            raise InvalidInputError(Refused.NO_SUPERVISOR)
        given["ask_model"] = True
    return given


def _check_provider(settings: Settings, name: str) -> None:
    # A key may be there for the language model: whether pages leave the office is the operator's to say, not a
    # reviewer's.
    if name in REMOTE and name != settings.ocr_provider:
        raise InvalidInputError(Refused.PROVIDER_NOT_SET_UP, name=name)
    try:
        get_provider(name, settings)
        # The settings' own validation checks what else the provider needs.
        Settings.model_validate({**settings.model_dump(), "ocr_provider": name})
    except ConfigurationError as exc:
        raise InvalidInputError(Refused.PROVIDER_UNUSABLE, problem=exc.detail) from exc
    except ValueError as exc:
        raise InvalidInputError(Refused.PROVIDER_NOT_SET_UP, name=name) from exc


def read_again(
    session: Session,
    submission: Submission,
    run: Run,
    actor_id: uuid.UUID,
    options: Mapping[str, Any],
    reason: str | None,
) -> Run:
    """Supersede the run and the entry's pending items, and create and return the next run.

    Raises InvalidInputError for an entry that was typed in.
    """
    if session.get_one(Upload, submission.upload_id).status == UploadStatus.TYPED:
        raise InvalidInputError(BatchRefused.FILE_UNREADABLE)
    supersede_items(session, submission.id, actor_id)
    run.status, run.outcome = RunStatus.SUPERSEDED.value, SubmissionStatus.SUPERSEDED.value
    RUN_LEASES.end(run)
    run.settled_at = utcnow()
    following = next_run(session, submission, options)
    asked = ", ".join(f"{name}: {value}" for name, value in sorted(options.items())) or None
    session.add(event(submission, "read_again", actor_id, after=asked, reason=reason))
    return following
