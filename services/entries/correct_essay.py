"""A person corrects the transcription of an essay line by line."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from core.errors import NotFoundError
from core.models import Submission
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.entries.edit_record import Edited, edit_record
from services.entries.essay_text import EssayLimits, check_limits, joined
from services.seasons import season_policy


def correct_essay(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    lines: Sequence[str],
    reason: str | None = None,
) -> Edited:
    """Replace the essay's text by the lines, and update its number of words.

    Raises NotFoundError, InvalidInputError for an essay beyond the season's limits, and ConflictError if the entry
    has changed since `version`.
    """
    with context.database.session() as session:
        submission = session.get(Submission, submission_id)
        if submission is None:
            raise NotFoundError("no such entry")
        limits = EssayLimits.of(season_policy(session, submission.season_id, context.settings))
        essay = get_field_values(session, submission_id, ["essay_text"]).get("essay_text")
        text = joined(lines, essay or "")
    check_limits(text, limits)
    return edit_record(context, actor_id, submission_id, version, {"essay_text": text or None}, reason)
