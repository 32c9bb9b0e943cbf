"""Caches of what depends on the form profiles in use: emptied when the profiles change."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache, update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: The generation of the profiles that come with the program, without any of the database.
FILES_ALONE = ""


class _Process:
    generation: str = FILES_ALONE


#: The generation of one piece of work, where it is another than that of the process.
_own: ContextVar[str | None] = ContextVar("own_generation", default=None)
_caches: list[ByGeneration[..., object]] = []


class ByGeneration(Generic[P, R]):
    """A function whose results are kept as long as the form profiles stay the same; arguments are hashable.

    Results are kept by generation, so that one which a thread began under former profiles is not given later.
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
        """Forget every result, but those of the generation `name`."""
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
    """Return the generation of the profiles in use by this process, or by this piece of work."""
    own = _own.get()
    return _Process.generation if own is None else own


def begin_generation(name: str) -> None:
    """Begin a generation of the process: what was kept under another is forgotten."""
    _Process.generation = name
    for cache in _caches:
        cache.keep_only(name)


def begin_own(name: str) -> Callable[[], None]:
    """Begin a generation for the current thread of work alone; return what ends it."""
    token = _own.set(name)

    def end() -> None:
        _own.reset(token)
        for cache in _caches:
            cache.forget(name)

    return end
