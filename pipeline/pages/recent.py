"""A small cache of recent results within this process.

Splitting a file, reading its entries and the review agent use the same pages within seconds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The most recently used values by key; thread-safe."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, if it is still there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        """Store a value, replacing the least recently used one."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


def recalled(work: Callable[[K], V]) -> Callable[[K], V]:
    """Cache the last results of a function of one object by the object's identity.

    Neither object nor result may be changed afterwards.
    """
    kept: Recent[int, tuple[K, V]] = Recent(32)

    @wraps(work)
    def of(thing: K) -> V:
        known = kept.get(id(thing))
        # The cached result keeps its object alive, so no other object can have its identity.
        if known is None or known[0] is not thing:
            known = (thing, work(thing))
            kept.keep(id(thing), known)
        return known[1]

    return of
