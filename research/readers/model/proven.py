"""Ask a model how much of each value its quotation says, many in one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from research.material import SourceText
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply, or_passages
from research.readers.model.passages import opening, plain
from research.readers.model.reading_prompts import DATA, PROVEN_SYSTEM, hint_of
from research.readers.protocol import Asked, Value
from research.readers.quoted import stretches_of
from research.readers.support import supported
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


class Proving(Asking):
    """Checks values against their quotations."""

    @or_passages
    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """See `Reader.proven`; None for a value without a clear answer.

        An address was read from its words by code, and is not asked for.
        """
        wanted = [value for value in values if value.field != "provider_url"]
        said: dict[Value, str | None] = {}
        for start in range(0, len(wanted), _BATCH):
            said |= self._said(asked, wanted[start : start + _BATCH], sources)
        return [one.value if one.field == "provider_url" else said.get(one) for one in values]

    def _said(
        self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]
    ) -> dict[Value, str | None]:
        fields = "\n".join(f"- {field}: {hint_of(field)}" for field in dict.fromkeys(one.field for one in values))
        by_id = {f"v{n}": value for n, value in enumerate(values, start=1)}
        by_source: dict[str, dict[str, Value]] = {}
        for short, value in by_id.items():
            by_source.setdefault(value.source_key, {})[short] = value
        told = "\n".join(_of_source(of_one, sources[key]) for key, of_one in by_source.items())
        user = f"Request: {asked.query}\n\nFields:\n{fields}\n\n{told}"
        system = f"{PROVEN_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        said: dict[Value, set[str | None]] = {}
        for check in self.ask("proven", system, user, ValueChecks, part="values").checks:
            if known := by_id.get(check.id):
                answer = _as_said(check, known, sources[known.source_key], asked)
                said.setdefault(known, set()).add(answer)
        return {value: answers.pop() for value, answers in said.items() if len(answers) == 1}


def _as_said(check: ValueCheck, value: Value, source: SourceText, asked: Asked) -> str | None:
    part = check.part
    if check.says == "part" and supported(part, value.quote, source, asked.language):
        return part if _is_part(part, value, asked) else None
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
