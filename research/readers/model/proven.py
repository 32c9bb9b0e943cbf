"""Ask a model how much of each value its quotation says, many in one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from research.material import SourceText
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import opening, plain
from research.readers.model.reading_prompts import DATA, PROVEN_SYSTEM, hint_of
from research.readers.model.support import supported
from research.readers.protocol import Asked, Value
from research.readers.quoted import stretches_of
from research.text import content_stems

#: Most values in one request.
_BATCH = 40
#: First and last words of a longer quotation by which it is found in its stretch.
_ENDS = 6


class ValueCheck(Reply):
    """How much of the value of an id its words say, and the value for which they do if it is a part."""

    id: str
    says: Literal["all", "part", "none"]
    part: str = ""


class ValueChecks(Reply):
    """Checks in any order, possibly not of all values."""

    checks: list[ValueCheck] = Field(default_factory=list)


def proven_of(
    asking: Asking, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]
) -> list[str | None] | None:
    """Return each value as far as its quotation says it, None for one without a clear answer.

    An address was read from its words by code, and is not asked for. None if a reply cannot be used.
    """
    found: dict[int, str | None] = {n: one.value for n, one in enumerate(values) if one.field == "provider_url"}
    wanted = [n for n in range(len(values)) if n not in found]
    for start in range(0, len(wanted), _BATCH):
        places = wanted[start : start + _BATCH]
        told = _of_batch(asking, asked, [values[n] for n in places], sources)
        if told is None:
            return None
        found |= zip(places, told, strict=True)
    return [found[n] for n in range(len(values))]


def _of_batch(
    asking: Asking, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]
) -> list[str | None] | None:
    fields = "\n".join(f"- {field}: {hint_of(field)}" for field in dict.fromkeys(value.field for value in values))
    by_id = {f"v{n}": value for n, value in enumerate(values, start=1)}
    keys = dict.fromkeys(value.source_key for value in values)
    user = "\n".join(
        [
            f"Request: {asked.query}\n\nFields:\n{fields}\n",
            *(_of_source({n: v for n, v in by_id.items() if v.source_key == key}, sources[key]) for key in keys),
        ]
    )
    system = f"{PROVEN_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
    reply = asking.ask("values", system, user, ValueChecks, "research.proven")
    if reply is None:
        return None
    said: dict[str, set[str | None]] = {}
    for check in reply.checks:
        if value := by_id.get(check.id):
            said.setdefault(check.id, set()).add(_as_said(check, value, sources[value.source_key], asked))
    return [said[short].pop() if len(said.get(short, ())) == 1 else None for short in by_id]


def _as_said(check: ValueCheck, value: Value, source: SourceText, asked: Asked) -> str | None:
    if check.says == "part":
        proven = supported(check.part, value.quote, source, asked.language) and _is_part(check.part, value, asked)
        return check.part if proven else None
    return value.value if check.says == "all" else None


def _is_part(part: str, value: Value, asked: Asked) -> bool:
    """Return whether most content words of a part stand in the value or its quotation."""
    said = set(content_stems(f"{value.value} {value.quote}", asked.language))
    own = content_stems(part, asked.language)
    return 2 * sum(stem in said for stem in own) > len(own)


def _of_source(by_id: Mapping[str, Value], source: SourceText) -> str:
    """Return the stretches of a source that hold the quotations, and below each the checks of its values."""
    lines, shorts = [opening(source)], list(by_id)
    for stretch in stretches_of([(value.item, value.quote) for value in by_id.values()], source):
        lines += [
            f"<text>{_line(stretch.text)}</text>",
            *(_told(shorts[n], by_id[shorts[n]]) for n in stretch.holds),
        ]
    return "\n".join([*lines, "</source>"])


def _told(short: str, value: Value) -> str:
    words = value.quote.split()
    if len(words) > 2 * _ENDS:
        words = [*words[:_ENDS], "…", *words[-_ENDS:]]
    told = (
        f'{_line(value.item)} | {value.field} | value: "{_line(value.value)}" | words: "{plain(" ".join(words))}"'
    )
    return f"<{short}>{told}</{short}>"


def _line(text: str) -> str:
    return plain(" ".join(text.split()))
