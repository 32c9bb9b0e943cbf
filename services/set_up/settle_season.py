"""Give the first season its name and its days."""

from __future__ import annotations

import uuid

from core.models import SetUpKey, SetUpState
from services.context import Context
from services.season_admin.describe_season import SeasonWords, describe_season
from services.set_up.note_step import note_step


def settle_season(
    context: Context, actor_id: uuid.UUID, season_id: uuid.UUID, words: SeasonWords, version: int | None
) -> None:
    """Change the season and settle its step. Raises what `describe_season` raises."""
    describe_season(context, actor_id, season_id, words, version)
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.SEASON, SetUpState.DONE)
