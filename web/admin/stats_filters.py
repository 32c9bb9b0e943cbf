"""The filters of the statistics pages, and figures, in addresses."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import date
from typing import Any

from flask import abort, request, url_for
from werkzeug.datastructures import MultiDict

from services.stats.figures import Figure
from services.stats.occurrences import Kind
from services.stats.period import DEFAULT_DAYS, PERIODS, Period, StatsFilter
from web.whole_number import whole_number

#: Stands for what is not known, as the empty value does not filter.
UNKNOWN = "-"
_ANY = "*"
#: Most keys that a kind of figure has.
_MOST_KEYS = 4


def wanted_filter(given: MultiDict[str, str] | None = None) -> StatsFilter:
    """Return the filters of the address; a value that does not fit does not filter."""
    given = request.args if given is None else given
    days = given.get("days", DEFAULT_DAYS, type=whole_number)
    return StatsFilter(
        days=days if days in PERIODS else DEFAULT_DAYS,
        profile=_text(given.get("form")),
        language=_text(given.get("language")),
        ocr_provider=_text(given.get("provider")),
        batch_id=given.get("batch", type=uuid.UUID),
        school_id=given.get("school", type=uuid.UUID),
    )


def as_sent(wanted: StatsFilter) -> dict[str, Any]:
    """Return the filters as parameters of an address."""
    named = {
        "days": wanted.days,
        "form": _sent(wanted.profile),
        "language": _sent(wanted.language),
        "provider": _sent(wanted.ocr_provider),
        "batch": wanted.batch_id,
        "school": wanted.school_id,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


def link_to(wanted: StatsFilter, figure: Figure, within: Period | None = None) -> str:
    """Return the address of the entries behind a figure."""
    return url_for("admin.stats_submissions", **as_sent(wanted), **figure_as_sent(figure, within))


def figure_as_sent(figure: Figure, within: Period | None = None) -> dict[str, Any]:
    """Return a figure, and its own period if it has one, as parameters of an address."""
    keys = [_ANY if key is None else key for key in figure.keys]
    own = {} if within is None else {"from": within.first.isoformat(), "to": within.last.isoformat()}
    return {"kind": figure.kind.value, "key": keys, **own}


def wanted_figure() -> tuple[Figure, Period | None]:
    """Return the figure of the address, and its own period if it has one. Aborts with 404 for an unknown kind."""
    kinds: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
    kind = kinds.get(request.args.get("kind", Kind.RUN.value))
    if kind is None:
        abort(404)
    keys = tuple(None if key == _ANY else key for key in request.args.getlist("key")[:_MOST_KEYS])
    first = request.args.get("from", type=date.fromisoformat)
    last = request.args.get("to", type=date.fromisoformat)
    within = Period(first, last) if first is not None and last is not None and first <= last else None
    return Figure(kind, keys), within


def _text(given: str | None) -> str | None:
    if given == UNKNOWN:
        return ""
    return given.strip() or None if given and "\0" not in given else None


def _sent(value: str | None) -> str | None:
    return UNKNOWN if value == "" else value
