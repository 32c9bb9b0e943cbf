"""The fields of an entry as `fields.toml` declares them: code refers to a field by its kind, not by its name."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from core.errors import ConfigurationError
from core.labels import readable
from pipeline.profiles import FOLDER, FieldKind

FILE = FOLDER / "fields.toml"
#: Kinds whose values are whole texts: kept out of graph state, never read a second time.
TEXT_KINDS = frozenset({FieldKind.ESSAY, FieldKind.REACTION})


class DeclaredField(BaseModel):
    """One field of an entry; the keys are explained in `fields.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    kind: FieldKind
    label: dict[str, str]
    meaning: str | None = None
    derived: bool = False
    unlike: str | None = None
    contact: bool = False
    alone: tuple[str, ...] = ()
    alike: bool = False
    family: str | None = None
    spells: tuple[str, ...] = ()

    def label_in(self, language: str) -> str:
        """The label in a language, in English where the language has none."""
        return self.label.get(language, self.label["en"])


class _Declarations(BaseModel):
    model_config = ConfigDict(extra="forbid")

    field: tuple[DeclaredField, ...]

    @model_validator(mode="after")
    def _names_known(self) -> Self:
        names = [one.name for one in self.field]
        if len(set(names)) < len(names):
            raise ValueError("a field is declared twice")
        meant = {name for one in self.field for name in (*one.spells, one.unlike, one.family) if name}
        if unknown := sorted(meant - set(names)):
            raise ValueError(f"no such field: {', '.join(unknown)}")
        return self


@cache
def declared_fields() -> dict[str, DeclaredField]:
    """{name: field}, in the order of the file. Raises ConfigurationError for a file that cannot be used."""
    try:
        parsed = _Declarations.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as exc:
        raise ConfigurationError(f"{FILE.name}: {exc}") from exc
    return {one.name: one for one in parsed.field}


def field_label(name: str, language: str) -> str:
    """What people call a field; a name that is not declared, in readable form."""
    declared = declared_fields().get(name)
    return declared.label_in(language) if declared else readable(name)


def fields_of_kind(*kinds: FieldKind) -> tuple[str, ...]:
    """Names of the fields of these kinds, in the order of the file."""
    return tuple(one.name for one in declared_fields().values() if one.kind in kinds)


def kind_of(name: str) -> FieldKind:
    """The kind of a declared field. Raises KeyError for any other name."""
    return declared_fields()[name].kind


@cache
def kinship_words() -> frozenset[str]:
    """The words that are a value of some field by themselves, without accents."""
    return frozenset(word for one in declared_fields().values() for word in one.alone)


@cache
def text_fields() -> frozenset[str]:
    """Fields that hold whole texts."""
    return frozenset(fields_of_kind(*TEXT_KINDS))


@cache
def derived_fields() -> frozenset[str]:
    """Fields that are worked out from others."""
    return frozenset(one.name for one in declared_fields().values() if one.derived)


def unlike_fields() -> dict[str, str]:
    """{field: the field whose value it cannot have}."""
    return {one.name: one.unlike for one in declared_fields().values() if one.unlike}


def alike_fields() -> tuple[str, ...]:
    """Fields whose value entries that came together often have in common."""
    return tuple(one.name for one in declared_fields().values() if one.alike)


def family_fields() -> dict[str, str]:
    """{person: the other person, of whose family the first mostly is}."""
    return {one.name: one.family for one in declared_fields().values() if one.family}


def swappable_fields() -> tuple[str, ...]:
    """Fields whose values are often swapped: the entrant's name, the school, and unlike fields."""
    return ("student_name", "school_name", *unlike_fields())


@cache
def field_meanings() -> dict[str, str]:
    """Return {field: description for the model} of the fields that a model may be asked for."""
    return {one.name: one.meaning for one in declared_fields().values() if one.meaning}
