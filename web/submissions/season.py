"""The season that a list shows: the current one unless its address names another, which is only read."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from core.errors import NotFoundError
from services.season_admin.list_seasons import SeasonName


def other_season(seasons: Sequence[SeasonName]) -> SeasonName | None:
    """Return the season of the address, None for the current one. Raises NotFoundError for an unknown one."""
    sent = request.args.get("season")
    if not sent:
        return None
    named = next((one for one in seasons if str(one.id) == sent), None)
    if named is None:
        raise NotFoundError("no such season")
    return None if named.is_current else named
