"""Ask a model whether the quotations of values say them, many in one request."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import Asking
from research.readers.model.field_hints import hint_of
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import DATA, PROVEN_SYSTEM
from research.readers.model.reply import Reply
from research.readers.protocol import Asked, Value
from research.readers.rules.reader import RulesReader

#: Most values in one request.
_BATCH = 40
#: Most characters of what stands before a quotation.
_BEFORE = 200


class ValueCheck(Reply):
    """Whether the words of an id say its value."""

    id: str
    says: bool


class ValueChecks(Reply):
    """Checks in any order, possibly not of all values."""

    checks: list[ValueCheck] = Field(default_factory=list)


def proven_of(asking: Asking, asked: Asked, values: Sequence[Value], rules: RulesReader) -> list[bool]:
    """Return for each value whether its quotation says it; one without a clear answer is not proven."""
    found: list[bool] = []
    for start in range(0, len(values), _BATCH):
        batch = values[start : start + _BATCH]
        told = _of_batch(asking, asked, batch)
        found += rules.proven(asked, batch) if told is None else told
    return found


def _of_batch(asking: Asking, asked: Asked, values: Sequence[Value]) -> list[bool] | None:
    listed = "\n".join(f"<v{n}>{_told(value)}</v{n}>" for n, value in enumerate(values, start=1))
    user = f"Request: {asked.query}\n\n{listed}"
    reply = asking.ask("values", f"{PROVEN_SYSTEM}\n\n{DATA}", user, ValueChecks, "research.proven")
    if reply is None:
        return None
    said: dict[str, set[bool]] = {}
    for check in reply.checks:
        said.setdefault(check.id, set()).add(check.says)
    return [said.get(f"v{n}") == {True} for n in range(1, len(values) + 1)]


def _told(value: Value) -> str:
    before = f' | before: "{plain(value.before[-_BEFORE:])}"' if value.before.strip() else ""
    told = f'{plain(value.item)} | {value.field}: {hint_of(value.field)} | value: "{plain(value.value)}"'
    return f'{told} | words: "{plain(value.quote)}"{before}'
