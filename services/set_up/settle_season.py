"""Give the first season its name, its days and its deadline."""

from __future__ import annotations

import uuid
from datetime import date

from core.models import SetUpKey, SetUpState
from services.context import Context
from services.policy.change_policy import change_policy
from services.policy.rules import Rule
from services.season_admin.describe_season import SeasonWords, describe_season
from services.season_admin.list_seasons import season_view
from services.set_up.note_step import note_step


def settle_season(
    context: Context,
    actor_id: uuid.UUID,
    season_id: uuid.UUID,
    words: SeasonWords,
    deadline: date | None,
    version: int | None,
) -> None:
    """Change the season and settle its step. Raises what `describe_season` raises."""
    describe_season(context, actor_id, season_id, words, version)
    wanted = deadline.isoformat() if deadline else None
    if season_view(context, season_id).rules.get(Rule.DEADLINE.value) != wanted:
        change_policy(context, actor_id, season_id, {Rule.DEADLINE.value: wanted})
    with context.database.session() as session:
        note_step(session, actor_id, SetUpKey.SEASON, SetUpState.DONE)
