"""The form profiles in use by this process, the fields that they declare, and caches that depend on them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, update_wrapper
from itertools import count
from pathlib import Path
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from core.errors import ConfigurationError
from core.messages import readable
from pipeline.profiles.form import FieldKind, FormSpec, ProfileKind

# Caches that depend on the form profiles in use: emptied when the profiles change.


P = ParamSpec("P")
R = TypeVar("R")

#: The generation of only the built-in profiles.
FILES_ALONE = ""


class _Process:
    generation: str = FILES_ALONE


#: The generation of one thread of work if it differs from that of the process.
_own: ContextVar[str | None] = ContextVar("own_generation", default=None)
_caches: list[ByGeneration[..., object]] = []


class ByGeneration(Generic[P, R]):
    """A function whose results are kept as long as the form profiles stay the same; arguments are hashable.

    Results are kept by generation, so that a result computed under former profiles is not used later.
    """

    def __init__(self, function: Callable[P, R], maxsize: int | None) -> None:
        self._function, self._maxsize = function, maxsize
        self._kept: dict[str, Callable[P, R]] = {}
        update_wrapper(self, function)
        _caches.append(self)  # type: ignore[arg-type]  # a ParamSpec of another function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        now = generation()
        kept = self._kept.get(now)
        if kept is None:
            kept = self._kept.setdefault(now, lru_cache(self._maxsize)(self._function))
        return kept(*args, **kwargs)

    def keep_only(self, name: str | None) -> None:
        """Forget all results except those of the generation `name`."""
        for other in list(self._kept):
            if other != name:
                self._kept.pop(other, None)

    def forget(self, name: str) -> None:
        self._kept.pop(name, None)

    def cache_clear(self) -> None:
        self.keep_only(None)


def by_generation(function: Callable[P, R]) -> ByGeneration[P, R]:
    """Keep the results of a function that depends on the form profiles, or on the fields that they declare."""
    return ByGeneration(function, None)


def at_most_by_generation(maxsize: int) -> Callable[[Callable[P, R]], ByGeneration[P, R]]:
    """Return `by_generation` for a function with many arguments: it keeps the `maxsize` results used last."""
    return lambda function: ByGeneration(function, maxsize)


def generation() -> str:
    """Return the generation of the profiles in use by this process, or by this thread of work."""
    own = _own.get()
    return _Process.generation if own is None else own


def begin_generation(name: str) -> None:
    """Begin a generation of the process; forget results of others."""
    _Process.generation = name
    for one in _caches:
        one.keep_only(name)


def begin_own(name: str) -> Callable[[], None]:
    """Begin a generation only for the current thread of work; return the function that ends it."""
    token = _own.set(name)

    def end() -> None:
        _own.reset(token)
        for one in _caches:
            one.forget(name)

    return end


# The form profiles in use by this process: the built-in ones and those given to `use_profiles`.


#: By generation: the profiles that pages are matched with, and the former ones.
_given: dict[str, tuple[tuple[FormSpec, ...], tuple[FormSpec, ...]]] = {FILES_ALONE: ((), ())}

#: Numbers that identify trials within the process.
_trials = count()


def use_profiles(profiles: Iterable[FormSpec], name: str, former: Iterable[FormSpec] = ()) -> None:
    """Use these profiles and the built-in ones from now on; caches that depend on profiles are emptied.

    `name` is the generation; if it is in use already, nothing changes. `former` are profiles that pages are no
    longer matched with (earlier versions, retired forms): entries that were read with them are still shown with
    their fields and labels. No profile has the key of a built-in one; the newest version of a key comes first.
    """
    before = generation()
    if name == before:
        return
    _given[name] = tuple(profiles), tuple(former)
    begin_generation(name)
    if before != FILES_ALONE:
        _given.pop(before, None)


@contextmanager
def trying(profile: FormSpec) -> Iterator[None]:
    """Use one more profile, instead of any with the same key, only in this thread of work: to try a draft."""
    active, former = _now()
    name = f"{generation()}+{next(_trials)}"
    _given[name] = (profile, *(one for one in active if one.key != profile.key)), former
    end = begin_own(name)
    try:
        yield
    finally:
        end()
        _given.pop(name, None)


def _now() -> tuple[tuple[FormSpec, ...], tuple[FormSpec, ...]]:
    # Another thread may have begun a generation since this one got the name.
    return _given.get(generation()) or _given.get(generation()) or ((), ())


@by_generation
def all_profiles() -> dict[str, FormSpec]:
    """The profiles that pages are matched with, by key: those of the database, then the built-in ones."""
    return {**{one.key: one.on_letter() for one in _now()[0]}, **built_in_profiles()}


def form_profiles() -> list[FormSpec]:
    """The profiles of forms and essay pages, without the freeform one."""
    return [p for p in all_profiles().values() if p.kind is not ProfileKind.FREEFORM]


@by_generation
def known_forms() -> dict[str, FormSpec]:
    """The profiles by key that entries may have been read with: those in use, then retired forms."""
    forms = dict(all_profiles())
    for one in own_profiles():
        forms.setdefault(one.key, one)
    return forms


@by_generation
def freeform_profile() -> FormSpec:
    """The profile of essays without a form."""
    return next(p for p in all_profiles().values() if p.kind is ProfileKind.FREEFORM)


def known_profile(key: str | None, version: int | None = None) -> FormSpec | None:
    """Return the profile that an entry was read with; None if this process does not know it.

    An unknown version, or None, means the newest of that key.
    """
    return _by_version().get((key, version)) or _by_version().get((key, None)) if key else None


@by_generation
def _by_version() -> dict[tuple[str, int | None], FormSpec]:
    found: dict[tuple[str, int | None], FormSpec] = {}
    for one in (*all_profiles().values(), *own_profiles()):
        found.setdefault((one.key, one.version), one)
        found.setdefault((one.key, None), one)
    return found


def own_profiles() -> Iterator[FormSpec]:
    """Yield all profiles that are not built in: those in use, then former ones, newest first."""
    active, former = _now()
    yield from active
    yield from former


# The profiles that come with the program: one TOML file per form.
#
# `extends` takes another profile's fields and prints, minus `without_fields` and `without_roles`; `include` adds
# the prints of files that are not profiles themselves.


FOLDER = Path(__file__).parent


def _toml(name: str, folder: Path) -> dict[str, Any]:
    path = folder / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as exc:
        raise ConfigurationError(f"profile {name}: {exc}") from exc


def _resolved(name: str, folder: Path) -> dict[str, Any]:
    raw = _toml(name, folder)
    fields: dict[str, Any] = {}
    printed: list[dict[str, Any]] = []
    if base := raw.pop("extends", None):
        parent = _resolved(base, folder)
        gone, roles = set(raw.pop("without_fields", ())), set(raw.pop("without_roles", ()))
        fields = {key: spec for key, spec in parent["fields"].items() if key not in gone}
        printed = [p for p in parent["printed"] if p["role"] not in roles and p.get("field") not in gone]
    for extra in raw.pop("include", ()):
        printed += _toml(extra, folder)["printed"]
    return {**raw, "fields": fields | raw.get("fields", {}), "printed": printed + raw.get("printed", [])}


def read_profile(name: str, folder: Path = FOLDER) -> FormSpec:
    """Read one profile by its key. Raises ConfigurationError (unreadable, no such file)."""
    return FormSpec.model_validate(_resolved(name, folder))


@cache
def built_in_profiles() -> dict[str, FormSpec]:
    """The built-in profiles by key, newest form first."""
    keys = sorted((p.stem for p in FOLDER.glob("*.toml") if "key" in _toml(p.stem, FOLDER)), reverse=True)
    return {key: read_profile(key) for key in keys}


# The fields of entries: those that `fields.toml` declares, then those that forms declare themselves.
#
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
    pattern: str | None = None
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
                own[name] = DeclaredField(
                    name=name,
                    kind=spec.kind,
                    label=spec.label or {"en": readable(name)},
                    meaning=spec.meaning,
                    pattern=spec.pattern,
                    language=spec.language,
                )
    return {**common_fields(), **own}


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
        return _names(self._kinds)[index]

    def __len__(self) -> int:
        return len(_names(self._kinds))

    def __contains__(self, name: object) -> bool:
        return name in _names(self._kinds)

    def __iter__(self) -> Iterator[str]:
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
