"""Declare the pages, files and answers that show one child's entry: whoever opens them is recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from core.models import SecurityEventKind
from services.event_log.record_view import Seen, record_view
from web.context import get_context, get_person

View = TypeVar("View", bound=Callable[..., Any])

_ATTRIBUTE = "recorded_as"
_NAMES = frozenset(Seen.__dataclass_fields__)


def viewed(kind: SecurityEventKind) -> Callable[[View], View]:
    """Return a decorator that records the view after it was made and before it is sent.

    What was seen follows from the variables of the address. Stands directly over the view.
    """

    def declare(view: View) -> View:
        @wraps(view)
        def show(**values: Any) -> Any:
            answer = view(**values)
            seen = Seen(**{name: value for name, value in values.items() if name in _NAMES})
            record_view(get_context(), get_person().id, kind, seen)
            return answer

        setattr(show, _ATTRIBUTE, kind)
        return cast(View, show)

    return declare


def recorded_as(view: Callable[..., Any]) -> SecurityEventKind | None:
    """Return the kind under which a view is recorded, or None."""
    return getattr(view, _ATTRIBUTE, None)
