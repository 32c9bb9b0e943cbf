"""What the label of a field says of it: its kind, its languages, whether it is required, and a key for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.extraction.values.text import plain, tidy
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind

_WORDS = Path(__file__).with_name("label_words.toml")
#: Words and signs by which a text is taken for Spanish.
SPANISH = re.compile(
    r"[áéíóúñ¿¡]|\b(?:de|del|la|el|los|las|su|y|nombre|fecha|edad|correo|escuela|grado|cual|que|por|ciudad|domicilio|calle|talla|padre|madre|alergias|medicinas|firma|sexo)\b",
    re.IGNORECASE,
)
#: Longest key, and longest label of a field.
_KEY, _LABEL = 40, 120
#: What stands between the two languages of a label.
STROKE = re.compile(r"(?<!\s)\s++/\s*+|/\s++")
_NO_KEY = re.compile(r"[^a-z0-9]+")
#: Kinds whose field every form calls the same, so that lists, statistics and school pages know it.
_SHARED = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.EMAIL, FieldKind.PHONE, FieldKind.ESSAY)


@dataclass(frozen=True, slots=True)
class LabelFacts:
    """What is read from a label."""

    en: str
    es: str
    kind: FieldKind
    required: bool


def facts_of(label: str) -> LabelFacts:
    """Return what a label says; a text in one language is taken for both."""
    required = "*" in label
    bare = tidy(label.replace("*", " ")).strip(" :.-–_")
    first, *rest = (part.strip(" :.") for part in STROKE.split(bare, maxsplit=1))
    if not rest or not first or not rest[0]:
        en = es = bare
    elif SPANISH.search(first) and not SPANISH.search(rest[0]):
        en, es = rest[0], first
    else:
        en, es = first, rest[0]
    return LabelFacts(en[:_LABEL], es[:_LABEL], kind_of_label(bare), required)


def kind_of_label(label: str) -> FieldKind:
    """Return the likeliest kind of a field with this label; a text where no word tells it."""
    words = f" {re.sub(r'[^a-z0-9-]+', ' ', plain(label))} "
    return next(
        (kind for kind, known in _vocabulary() if any(f" {one} " in words for one in known)), FieldKind.TEXT
    )


def key_for(kind: FieldKind, label: str, taken: Collection[str]) -> str:
    """Return a key that is not taken: the shared one of the kind for its first field, else one of the label."""
    shared = fields_of_kind(kind)[:1] if kind in _SHARED else ()
    if shared and shared[0] not in taken:
        return shared[0]
    base = _NO_KEY.sub("_", plain(label)).strip("_")[:_KEY].strip("_") or "field"
    base = base if base[0].isalpha() else f"field_{base}"[:_KEY]
    return next(key for key in (base, *(f"{base}_{n}" for n in range(2, 1000))) if key not in taken)


@cache
def _vocabulary() -> tuple[tuple[FieldKind, tuple[str, ...]], ...]:
    known = {kind.value for kind in FieldKind}
    parsed = tomllib.loads(_WORDS.read_text(encoding="utf-8"))["kind"]
    return tuple((FieldKind(one["name"]), tuple(one["words"])) for one in parsed if one["name"] in known)
