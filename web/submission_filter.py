"""The filters of entries and of the review queues in URLs."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args
from urllib.parse import parse_qsl

from flask import request
from werkzeug.datastructures import ImmutableMultiDict, MultiDict

from core.messages import keys_of
from core.models import SubmissionStatus
from pipeline.schema import FIELD_NAMES
from services.entries.listing import SubmissionFilter
from services.items.holds import ItemKind
from services.review.waiting import Place, WaitingFilter
from web.labels import DERIVED_FIELDS


def wanted_submissions(given: MultiDict[str, str]) -> SubmissionFilter:
    """Read the filter from the parameters of a URL or a form; invalid values are ignored."""
    return SubmissionFilter(
        status=given.get("status") if given.get("status") in keys_of(SubmissionStatus) else None,
        reason=_text(given.get("reason")),
        school=_text(given.get("school")),
        grade=_text(given.get("grade")),
        batch_id=given.get("batch", type=uuid.UUID),
        needs_review={"yes": True, "no": False}.get(given.get("needs_review", "")),
        form=_text(given.get("form")),
        late={"yes": True, "no": False}.get(given.get("late", "")),
        text=_text(given.get("q")),
        similar=True if given.get("similar") == "yes" and _text(given.get("q")) else None,
    )


def _text(given: str | None) -> str | None:
    """Return the typed text, at most 200 characters; None for an empty one."""
    return (given or "").strip()[:200] or None


def as_sent(wanted: SubmissionFilter) -> dict[str, Any]:
    """Return a filter as parameters of a URL or a form."""
    named = {
        "status": wanted.status,
        "reason": wanted.reason,
        "school": wanted.school,
        "grade": wanted.grade,
        "batch": wanted.batch_id,
        "needs_review": None if wanted.needs_review is None else ("yes" if wanted.needs_review else "no"),
        "form": wanted.form,
        "late": None if wanted.late is None else ("yes" if wanted.late else "no"),
        "q": wanted.text,
        "similar": "yes" if wanted.similar else None,
    }
    return {name: str(value) for name, value in named.items() if value is not None}


# Filters of the review queues in URLs; forms send them along with every decision.


_NAMES = tuple(field.name for field in fields(WaitingFilter))
_KINDS, _PLACES = get_args(ItemKind), get_args(Place)
_YES, _NO = "yes", "no"


def queue_fields() -> tuple[str, ...]:
    """Return the fields of an entry that a proposal can contain."""
    return tuple(name for name in FIELD_NAMES if name not in DERIVED_FIELDS)


def filter_of(args: Mapping[str, str]) -> WaitingFilter:
    """Return the filter in a URL's query; invalid values are ignored."""
    values = ImmutableMultiDict(args)
    emptiness = {_YES: True, _NO: False}
    kind, place = args.get("kind"), args.get("place")
    return WaitingFilter(
        reason=_argument(args, "reason"),
        grade=_argument(args, "grade"),
        school=_argument(args, "school"),
        status=_argument(args, "status"),
        field=_argument(args, "field"),
        batch=values.get("batch", type=uuid.UUID),
        min_confidence=values.get("min_confidence", type=float),
        max_confidence=values.get("max_confidence", type=float),
        is_empty=emptiness.get(args.get("is_empty", "")),
        kind=next((one for one in _KINDS if one == kind), None),
        place=next((one for one in _PLACES if one == place), "waiting"),
    )


def in_address(args: Mapping[str, str]) -> dict[str, Any]:
    """Return the filter's part of a URL's query, for the next URL."""
    return {name: args[name].strip() for name in _NAMES if args.get(name, "").strip()}


def sent_along() -> dict[str, Any]:
    """Return the filter's query of the page that a form was sent from, from the form or the referrer."""
    sent = request.form.get("filter")
    if sent is None:
        sent = (request.referrer or "").partition("?")[2]
    return in_address(dict(parse_qsl(sent)))


def _argument(args: Mapping[str, str], name: str) -> str | None:
    return args.get(name, "").strip() or None
