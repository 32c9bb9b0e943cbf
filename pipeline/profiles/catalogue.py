"""The form profiles in use by this process, their files, and caches that depend on them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache as cached
from functools import lru_cache, update_wrapper
from itertools import count
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from core.errors import ConfigurationError
from pipeline.profiles.form import FormSpec, ProfileKind

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
        """Wrap the function; see `by_generation`."""
        self._function, self._maxsize = function, maxsize
        self._kept: dict[str, Callable[P, R]] = {}
        update_wrapper(self, function)
        _caches.append(self)  # type: ignore[arg-type]  # a ParamSpec of another function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the function's result."""
        now = generation()
        kept = self._kept.get(now)
        if kept is None:
            kept = self._kept.setdefault(now, _remembered(self._function, self._maxsize))
        return kept(*args, **kwargs)

    def keep_only(self, name: str | None) -> None:
        """Forget all results except those of the generation `name`."""
        for other in list(self._kept):
            if other != name:
                self._kept.pop(other, None)

    def forget(self, name: str) -> None:
        """Forget the results of one generation."""
        self._kept.pop(name, None)

    def cache_clear(self) -> None:
        """Forget every result."""
        self.keep_only(None)


def _remembered(function: Callable[P, R], maxsize: int | None) -> Callable[P, R]:
    return lru_cache(maxsize)(function)  # type: ignore[return-value]  # lru_cache takes arguments as Hashable


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
    for cache in _caches:
        cache.keep_only(name)


def begin_own(name: str) -> Callable[[], None]:
    """Begin a generation only for the current thread of work; return the function that ends it."""
    token = _own.set(name)

    def end() -> None:
        _own.reset(token)
        for cache in _caches:
            cache.forget(name)

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


@cached
def built_in_profiles() -> dict[str, FormSpec]:
    """The built-in profiles by key, newest form first."""
    keys = sorted((p.stem for p in FOLDER.glob("*.toml") if "key" in _toml(p.stem, FOLDER)), reverse=True)
    return {key: read_profile(key) for key in keys}
