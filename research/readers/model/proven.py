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
_BEFORE = 160


class ValueCheck(Reply):
    """Whether the words of an id say its value."""

    id: str
    says: bool


class ValueChecks(Reply):
    """Checks in any order, possibly not of all values."""

    checks: list[ValueCheck] = Field(default_factory=list)


def proven_of(asking: Asking, asked: Asked, values: Sequence[Value], rules: RulesReader) -> list[bool]:
    """Return for each value whether its quotation says it; one without a clear answer is not proven.

    An address was read from its words by code, and is not asked for.
    """
    found: dict[int, bool] = {n: True for n, value in enumerate(values) if value.field == "provider_url"}
    wanted = [n for n in range(len(values)) if n not in found]
    for start in range(0, len(wanted), _BATCH):
        places = wanted[start : start + _BATCH]
        batch = [values[n] for n in places]
        told = _of_batch(asking, asked, batch)
        found |= zip(places, rules.proven(asked, batch) if told is None else told, strict=True)
    return [found[n] for n in range(len(values))]


def _of_batch(asking: Asking, asked: Asked, values: Sequence[Value]) -> list[bool] | None:
    fields = "\n".join(f"- {field}: {hint_of(field)}" for field in dict.fromkeys(value.field for value in values))
    listed = "\n".join(f"<v{n}>{_told(value)}</v{n}>" for n, value in enumerate(values, start=1))
    user = f"Request: {asked.query}\n\nFields:\n{fields}\n\n{listed}"
    reply = asking.ask("values", f"{PROVEN_SYSTEM}\n\n{DATA}", user, ValueChecks, "research.proven")
    if reply is None:
        return None
    said: dict[str, set[bool]] = {}
    for check in reply.checks:
        said.setdefault(check.id, set()).add(check.says)
    return [said.get(f"v{n}") == {True} for n in range(1, len(values) + 1)]


def _told(value: Value) -> str:
    # Words that name the item need nothing before them.
    needed = value.before.strip() and value.item.casefold() not in value.quote.casefold()
    before = f' | before: "{_line(value.before[-_BEFORE:])}"' if needed else ""
    told = f'{_line(value.item)} | {value.field} | value: "{_line(value.value)}"'
    return f'{told} | words: "{_line(value.quote)}"{before}'


def _line(text: str) -> str:
    return plain(" ".join(text.split()))
