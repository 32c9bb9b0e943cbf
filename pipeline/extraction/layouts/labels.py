"""The labels of a page, the field that each asks for, and the pieces of text between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from pipeline.extraction.tokens import Line, Token, box_of, runs_of, token_text
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import ENTRANT, FieldKind, PrintedRole, form_profiles, known_heads
from pipeline.profiles.catalogue import by_generation

# The text of a page in pieces: its labels, and their possible values.


#: Space (points) after which a new piece begins on a line: in a text layer, on a recognised page.
GAP, _ROUGH_GAP = 9.0, 14.0
#: Greatest distance (points) between the left edges of one column's lines.
ALIGNED = 6.0
#: Most pieces of a page that are examined: no sheet has more.
_MOST_PIECES = 600
#: Most words of a value; more are the essay's.
VALUE_WORDS = 10
#: Greatest space (heights of a line) between two lines of one value.
_WRAP = 0.55
#: The number of a question.
_NUMBER = re.compile(r"q?\d{1,2}[.)]", re.IGNORECASE)
_GLUED = re.compile(r"[^\W\d_]{3,}:(?!//)[\w(+]")


@dataclass(eq=False, slots=True)
class LinePart:
    """Words of one line without a wide gap."""

    tokens: Line
    box: Box

    @property
    def text(self) -> str:
        return token_text(self.tokens)


@dataclass(eq=False, slots=True)
class Label(LinePart):
    """A label; `name` is None if it asks for something that entries do not have."""

    name: str | None = None
    kind: FieldKind | None = None
    #: "first" or "last" for a label of one part of a name.
    part: str = ""


def pieces_and_labels(lines: Iterable[Line]) -> tuple[list[LinePart], list[Label]]:
    """Return the text of a page in pieces, and its labels; no pieces if it has no label."""
    runs = [run for line in lines for run in runs_of(line, _gap(line))][:_MOST_PIECES]
    parts = [part for run in runs for part in _at_colons(run)]
    labels = [Label(part, box_of(part), *meaning) for part, meaning in parts if meaning is not None]
    if not labels:
        return [], []
    pieces = [LinePart(part, box_of(part)) for part, meaning in parts if meaning is None]
    _join_wrapped(pieces, labels)
    _add_unknown(pieces, labels)
    return [piece for piece in pieces if any(c.isalnum() for c in piece.text)], labels


def _gap(line: Line) -> float:
    return _ROUGH_GAP if any(token.source is Source.OCR for token in line) else GAP


_Meaning = tuple[str, FieldKind, str]


def _meaning(tokens: Line) -> _Meaning | None:
    """Return what a piece, all of it, asks for; None for a value or the end of a sentence."""
    if not tokens or len(tokens) > LABEL_WORDS or any(t.source is Source.ACROFORM for t in tokens):
        return None
    recognised = any(t.source is Source.OCR for t in tokens)
    numbered = tokens[1:] if _NUMBER.fullmatch(tokens[0].text) else tokens
    if (
        any(c.isdigit() for t in numbered for c in t.text)
        or any("@" in t.text for t in tokens)
        or tokens[-1].text.endswith((".", ",", "!"))
    ):
        return None
    return (nearly_meaning if recognised else meaning_of)(token_text(tokens))


def _at_colons(run: Line) -> list[tuple[Line, _Meaning | None]]:
    """Split a piece into labels, each entire or up to its colon, and the text between them."""
    if (meaning := _meaning(run)) is not None:
        return [(run, meaning)]
    found: list[tuple[Line, _Meaning | None]] = []
    run = [part for token in run for part in _behind_colon(token)]
    rest = 0
    for end, token in enumerate(run, 1):
        if not token.text.endswith((":", "=")):
            continue
        # "School of pupil:" is not a label of the pupil: words may precede a label only after a value.
        begins = range(rest, end if found else rest + 1)
        at = next((at for at in begins if _meaning(run[at:end]) is not None), None)
        if at is not None:
            found += [(run[rest:at], None)] if rest < at else []
            found.append((run[at:end], _meaning(run[at:end])))
            rest = end
    return [*found, (run[rest:], None)] if rest < len(run) else found


def _behind_colon(token: Token) -> list[Token]:
    """Split a word at the colon after its letters, if the space was lost ("phone:555")."""
    at = token.text.find(":") + 1
    return [token.part(0, at), token.part(at, len(token.text))] if at and _GLUED.match(token.text) else [token]


def _join_wrapped(pieces: list[LinePart], labels: list[Label]) -> None:
    while joined := next(_wrapped(pieces, labels), None):
        upper, lower, meaning = joined
        pieces[:] = [p for p in pieces if p is not upper and p is not lower]
        labels[:] = [p for p in labels if p is not upper and p is not lower]
        tokens = [*upper.tokens, *lower.tokens]
        labels.append(Label(tokens, box_of(tokens), *meaning))


def _wrapped(pieces: Sequence[LinePart], labels: Sequence[Label]) -> Iterator[tuple[LinePart, LinePart, _Meaning]]:
    short = [piece for piece in (*pieces, *labels) if len(piece.tokens) <= VALUE_WORDS]
    for upper in short:
        lower = min((p for p in short if goes_on(upper, p)), key=lambda p: p.box.cy, default=None)
        if lower is None or _type(upper.tokens) != _type(lower.tokens):
            continue
        known = {p.name for p in (upper, lower) if isinstance(p, Label)}
        both = isinstance(upper, Label) and isinstance(lower, Label)
        meaning = None if both else _meaning([*upper.tokens, *lower.tokens])
        if meaning is not None and known <= {meaning[0]}:
            yield upper, lower, meaning


def goes_on(upper: LinePart, lower: LinePart) -> bool:
    """Whether a piece is the next line of another one."""
    high = min(upper.box.height, lower.box.height)
    apart = lower.box.y0 - upper.box.y1
    return (
        abs(upper.box.x0 - lower.box.x0) <= ALIGNED
        and lower.box.cy > upper.box.cy
        and -0.5 * high < apart <= _WRAP * high
    )


def _type(tokens: Sequence[Token]) -> tuple[float, bool]:
    if tokens[0].source is Source.OCR:
        return 0.0, False
    return round(tokens[0].size, 1), all(token.bold for token in tokens)


def _add_unknown(pieces: list[LinePart], labels: list[Label]) -> None:
    """Add labels for what entries do not have: pieces that end like the labels here, or share only their type."""
    if any(t.source is Source.OCR for label in labels for t in label.tokens):
        return
    types = {_type(label.tokens) for label in labels}
    short = [p for p in pieces if len(p.tokens) <= VALUE_WORDS and p.tokens[0].source is not Source.ACROFORM]
    alike = sum(_type(piece.tokens) in types for piece in short)
    typed = types if len(types) == 1 and alike < len(short) / 2 else set()
    ends = {label.text[-1] for label in labels} & {":", "*", "?"}
    for piece in short:
        is_word = sum(c.isalpha() for c in piece.text) > 2 and not any(c.isdigit() for c in piece.text)
        if is_word and (piece.text.endswith(tuple(ends)) or _type(piece.tokens) in typed):
            pieces.remove(piece)
            labels.append(Label(piece.tokens, piece.box))


# What a label asks for, by the labels of all forms and the words that people put before values.


#: Most words of a label.
LABEL_WORDS = 14
#: Least letters of a recognised label that may have misread ones, and its least likeness (0-100).
_LEAST_MISREAD, _LIKE = 7, 88.0
_MARKS = r"(?>(?:[*:?]|\((?:required|optional|obligatorio|opcional)\))+)\s*+$"
#: A number at the beginning, and the marks at the end with the spaces before them.
_AROUND = re.compile(
    rf"^q?\d{{1,2}}[.)]\s++(?:{_MARKS})?|(?:(?<!\s)\s++|(?<![\s*:?])(?<!\(required\))(?<!\(optional\))"
    rf"(?<!\(obligatorio\))(?<!\(opcional\))){_MARKS}",
    re.I,
)
#: What separates two names of one thing.
_HALVES = re.compile(r"(?:(?<!\s)\s++)?[/|]\s*+|(?<!\s)\s++-\s++")
#: Words that are optional in labels.
_SMALL = re.compile(r"\b(?:the|your|an?|el|las?|los|tu|su)\b")
#: Wordings that ask for the essay.
_ESSAY_ASKED = re.compile(
    r"^(?=.*\b(?:write|type|paste|enter|copy|submit|share|escrib[ae]|copi[ae]|peg[au]e?|ingres[ae])\b)"
    r".*\b(?:essay|ensayo)\b(?!.*[.!])"
)
_OTHERS = re.compile(r"\b(?:teacher|maestr[oa]|profesor[a]?|principal|school|escuela)\b")
_MAIL = re.compile(r"\b(?:e-?mail|correo)\b")
_PHONE = re.compile(r"\b(?:phone|telephone|mobile|cell|telefono|celular)\b")
_PART = re.compile(
    r"^(?:(?P<who>.+?)(?:'s)? )?(?P<part>first|given|last|family) name$|^(?P<es>nombres|apellidos?)$"
)


def meaning_of(text: str) -> tuple[str, FieldKind, str] | None:
    """Return field, kind and part of a name that a label asks for; None if entries have no such field."""
    bare = _AROUND.sub("", _AROUND.sub("", plain_text(text))).strip()
    if not bare:
        return None
    found = _labels().get(squeezed(bare)) or _labels().get(squeezed(_SMALL.sub(" ", bare)))
    if found is not None:
        return (*found, "")
    if len(bare.split()) <= LABEL_WORDS and _ESSAY_ASKED.search(bare):
        return "essay_text", FieldKind.ESSAY, ""
    halves = [_labels().get(squeezed(half)) for half in _HALVES.split(bare)]
    if len(halves) > 1 and halves[0] is not None and all(half == halves[0] for half in halves):
        return (*halves[0], "")
    if hit := _PART.match(bare):
        part = "last" if (hit["part"] or hit["es"])[:3] in ("las", "fam", "ape") else "first"
        whose = _whose(hit["who"])
        return (whose, FieldKind.PERSON, part) if whose else None
    if len(bare.split()) <= 5 and not _OTHERS.search(bare):
        if _MAIL.search(bare):
            return "email", FieldKind.EMAIL, ""
        if _PHONE.search(bare):
            return "phone", FieldKind.PHONE, ""
    return None


def _whose(who: str | None) -> str | None:
    """Return the field for the name of the person that a label mentions ("student"); the entrant's for None."""
    if who is None:
        return ENTRANT
    known = _labels().get(squeezed(f"{who}'s name")) or _labels().get(squeezed(f"{who} name"))
    return known[0] if known and known[1] is FieldKind.PERSON else None


@by_generation
def _labels() -> dict[str, tuple[str, FieldKind]]:
    """Map the letters of all forms' labels, and of words for fields, to the fields that they ask for."""
    found: dict[str, tuple[str, FieldKind]] = {}
    for profile in form_profiles():
        for printed in profile.printed:
            if printed.role is PrintedRole.LABEL and printed.field:
                kind = profile.fields[printed.field].kind
                found |= {squeezed(text): (printed.field, kind) for text in printed.texts}
    for name, (kind, heads) in known_heads().items():
        found |= {squeezed(head): (name, kind) for head in heads if len(head) > 2}
    return found


def nearly_meaning(text: str) -> tuple[str, FieldKind, str] | None:
    """Return the result of `meaning_of` for a recognised label, some letters of which may be misread."""
    found = meaning_of(text)
    letters = squeezed(text)
    if found is not None or len(letters) < _LEAST_MISREAD:
        return found
    one_letter = 100.0 * (1 - 1 / len(letters)) - 0.1
    close = process.extractOne(letters, _labels().keys(), scorer=fuzz.ratio, score_cutoff=min(_LIKE, one_letter))
    return (*_labels()[close[0]], "") if close else None
