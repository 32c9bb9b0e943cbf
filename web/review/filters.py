"""Filters of the review queues in URLs; forms send them along with every decision."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_args
from urllib.parse import parse_qsl

from flask import request
from werkzeug.datastructures import ImmutableMultiDict

from pipeline.schema import FIELD_NAMES
from services.review.queue_filter import QueueFilter
from services.review.waiting import ItemKind, Place, WaitingFilter
from web.labels import DERIVED_FIELDS

Filter = TypeVar("Filter", bound=QueueFilter)

_NAMES = tuple(field.name for field in fields(WaitingFilter))
_KINDS, _PLACES = get_args(ItemKind), get_args(Place)
_YES, _NO = "yes", "no"


def queue_fields() -> tuple[str, ...]:
    """Return the fields of an entry that a proposal can contain."""
    return tuple(name for name in FIELD_NAMES if name not in DERIVED_FIELDS)


def filter_of(kind: type[Filter], args: Mapping[str, str]) -> Filter:
    """Return the filter in a URL's query; invalid values are ignored."""
    values = ImmutableMultiDict(args)
    emptiness = {_YES: True, _NO: False}
    place = {}
    if issubclass(kind, WaitingFilter):
        place = {
            "kind": args["kind"] if args.get("kind") in _KINDS else None,
            "place": args["place"] if args.get("place") in _PLACES else "waiting",
        }
    return kind(
        reason=_text(args, "reason"),
        grade=_text(args, "grade"),
        school=_text(args, "school"),
        status=_text(args, "status"),
        field=_text(args, "field"),
        batch=values.get("batch", type=uuid.UUID),
        min_confidence=values.get("min_confidence", type=float),
        max_confidence=values.get("max_confidence", type=float),
        is_empty=emptiness.get(args.get("is_empty", "")),
        **place,
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


def _text(args: Mapping[str, str], name: str) -> str | None:
    return args.get(name, "").strip() or None
