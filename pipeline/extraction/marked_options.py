"""The option that a writer marked with a sign beside its text, where a re-flow left no circles to tick."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.extraction.fields import evidence_of
from pipeline.extraction.page_reading import PageReading, PrintAt
from pipeline.extraction.tokens import Line, Token
from pipeline.page_model import Source
from pipeline.profiles import PrintedRole
from pipeline.schema import FieldReading

_SIGN = re.compile(r"[(\[]?(?:[xX×✕✖✗✘✓✔√☑☒]|[●⬤⚫◉⦿■])[\ufe0e\ufe0f]?[)\]]?")
#: A sign at the beginning or end of a word; a letter there belongs to the word.
_GLUED = re.compile(r"^[(\[]?[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■]|[✕✖✗✘✓✔√☑☒●⬤⚫◉⦿■][)\]]?$")
#: Space between a sign and its option, in points.
_BESIDE = 10.0
_TYPED, _RECOGNISED = 0.95, 0.79


def marked_options(readings: Sequence[PageReading]) -> dict[str, FieldReading]:
    """For each choice of an entry's pages the one option with a sign; nothing where several have one."""
    marked: dict[str, list[tuple[PrintAt, list[Token]]]] = {}
    for reading in readings:
        for at in reading.of_role(PrintedRole.OPTION) if not reading.fixed else ():
            tokens = list(_signs(reading.lines[at.found.line].tokens, at))
            if at.printed.field and tokens:
                marked.setdefault(at.printed.field, []).append((at, tokens))
    return {field: _reading(*options[0]) for field, options in marked.items() if len(options) == 1}


def _signs(line: Line, at: PrintAt) -> Iterator[Token]:
    own, box = at.found.tokens, at.found.box
    yield from (token for token in own if _GLUED.search(token.text))
    for token in line:
        gap = max(box.x0 - token.box.x1, token.box.x0 - box.x1)
        if token not in own and gap <= _BESIDE and _SIGN.fullmatch(token.text):
            yield token


def _reading(at: PrintAt, signs: Sequence[Token]) -> FieldReading:
    tokens = sorted({*signs, *at.found.tokens}, key=lambda token: token.box.x0)
    recognised = any(token.source is Source.OCR for token in tokens)
    return FieldReading(
        value=at.printed.value,
        confidence=_RECOGNISED if recognised else _TYPED,
        source=Source.OCR if recognised else tokens[0].source,
        evidence=evidence_of(tokens),
        method="sign beside the option",
    )
