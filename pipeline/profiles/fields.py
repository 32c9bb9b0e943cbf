"""The fields of entries: those that `fields.toml` declares, then those that forms declare themselves."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Self, overload

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from core.errors import ConfigurationError
from core.messages import readable
from pipeline.profiles.catalogue import FOLDER, by_generation, freeform_profile, known_profile, own_profiles
from pipeline.profiles.form import FieldKind, FieldSpec

# Code refers to a field by its kind, not by its name.


FILE = FOLDER / "fields.toml"
#: Kinds whose values are long texts: kept out of graph state, never read a second time.
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
    #: A pattern that the entire value must match.
    pattern: str | None = None
    #: The language that values are written in.
    language: str | None = None

    def label_in(self, language: str) -> str:
        """The label in a language, in English if the language has none."""
        return self.label.get(language) or self.label.get("en") or next(iter(self.label.values()))


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
def common_fields() -> dict[str, DeclaredField]:
    """{name: field} of `fields.toml`, in its order. Raises ConfigurationError for a file that cannot be used."""
    try:
        parsed = _Declarations.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as exc:
        raise ConfigurationError(f"{FILE.name}: {exc}") from exc
    return {one.name: one for one in parsed.field}


@by_generation
def declared_fields() -> dict[str, DeclaredField]:
    """{name: field} of all forms: those of the file in its order, then those that forms declare themselves.

    If two forms declare a field with the same name, the form in use, in its newest version, defines it.
    """
    own: dict[str, DeclaredField] = {}
    for profile in own_profiles():
        for name, spec in profile.fields.items():
            if name not in common_fields() and name not in own:
                own[name] = _declared_by_form(name, spec)
    return {**common_fields(), **own}


def _declared_by_form(name: str, spec: FieldSpec) -> DeclaredField:
    return DeclaredField(
        name=name,
        kind=spec.kind,
        label=spec.label or {"en": readable(name)},
        meaning=spec.meaning,
        pattern=spec.pattern,
        language=spec.language,
    )


class FieldNames(Sequence[str]):
    """The names of the declared fields, in order; follows the form profiles in use."""

    def __init__(self, *kinds: FieldKind) -> None:
        """Hold only the fields of these kinds; all fields without any."""
        self._kinds = kinds

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """The name at this place."""
        return _names(self._kinds)[index]

    def __len__(self) -> int:
        """How many fields are declared."""
        return len(_names(self._kinds))

    def __contains__(self, name: object) -> bool:
        """Whether a field of this name is declared."""
        return name in _names(self._kinds)

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of their declaration."""
        return iter(_names(self._kinds))


@by_generation
def _names(kinds: tuple[FieldKind, ...]) -> tuple[str, ...]:
    return tuple(declared_fields()) if not kinds else fields_of_kind(*kinds)


def fields_of_form(key: str | None, version: int | None = None) -> tuple[str, ...]:
    """Return the names of the fields that an entry read with this form has, in the order in which they are shown.

    For a built-in, unknown or missing form they are those of `fields.toml`; for a form of the database, in its
    order, those that it asks for and those derived from them.
    """
    profile = known_profile(key, version)
    if profile is None or profile.version is None:
        return tuple(common_fields())
    asked = tuple(name for name, spec in profile.fields.items() if spec.kind is not FieldKind.IGNORED)
    return (*asked, *(derived_fields() - set(asked) if profile.has_essay else ()))


def field_label(name: str, language: str) -> str:
    """Return the label of a field in a language; an undeclared name is made readable."""
    declared = declared_fields().get(name)
    return declared.label_in(language) if declared else readable(name)


def fields_of_kind(*kinds: FieldKind) -> tuple[str, ...]:
    """Return the names of the fields of these kinds, in the order of their declaration."""
    return tuple(one.name for one in declared_fields().values() if one.kind in kinds)


def field_kind(name: str) -> FieldKind:
    """Return the kind of a declared field. Raises KeyError for any other name."""
    return declared_fields()[name].kind


@by_generation
def kinship_words() -> frozenset[str]:
    """The words that alone are a value of some field, without accents."""
    return frozenset(word for one in declared_fields().values() for word in one.alone)


@by_generation
def text_fields() -> frozenset[str]:
    """Fields that hold long texts."""
    return frozenset(fields_of_kind(*TEXT_KINDS))


@by_generation
def derived_fields() -> frozenset[str]:
    """Fields that are derived from others."""
    return frozenset(one.name for one in declared_fields().values() if one.derived)


@by_generation
def known_heads() -> dict[str, tuple[FieldKind, tuple[str, ...]]]:
    """Return by field its kind and the words that precede its value on a page without a form.

    They are those of the freeform profile, and the field's labels. Fields that an essay without a form does not
    have are included with the kind `ignored`, so that their values are not taken for others.
    """
    asked = freeform_profile().fields
    heads: dict[str, tuple[FieldKind, tuple[str, ...]]] = {}
    for name in [
        *asked,
        *(name for name, one in common_fields().items() if name not in asked and not one.derived),
    ]:
        spec, declared = asked.get(name), common_fields().get(name)
        labels = [label.lower() for label in declared.label.values()] if declared else []
        words = dict.fromkeys([*(spec.heads if spec else ()), *labels])
        heads[name] = spec.kind if spec else FieldKind.IGNORED, tuple(words)
    return heads


def unlike_fields() -> dict[str, str]:
    """{field: the field whose value it cannot have}."""
    return {one.name: one.unlike for one in declared_fields().values() if one.unlike}


def alike_fields() -> tuple[str, ...]:
    """Fields whose values entries of a batch often have in common."""
    return tuple(one.name for one in declared_fields().values() if one.alike)


def family_fields() -> dict[str, str]:
    """{person: the other person, usually of the same family}."""
    return {one.name: one.family for one in declared_fields().values() if one.family}


def swappable_fields() -> tuple[str, ...]:
    """Fields whose values are often swapped: the entrant's name, the school, and unlike fields."""
    return ("student_name", "school_name", *unlike_fields())


@by_generation
def field_meanings() -> dict[str, str]:
    """Return {field: description for the model} of the fields that a model may be asked for."""
    return {one.name: one.meaning for one in declared_fields().values() if one.meaning}
