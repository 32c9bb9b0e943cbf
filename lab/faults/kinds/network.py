"""Storage and the model, which are slow, broken, or answer something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from lab.faults.network import BROKEN_DOWN, SLOW, WRONG
from lab.faults.scene import Kind, NotHereError, Scene, until

_SECONDS = 12.0
#: Seconds that a request is waited for.
_AT_MOST_SECONDS = 60.0


def _storage(way: str) -> Callable[[Scene], AbstractContextManager[str]]:
    @contextmanager
    def inflict(scene: Scene) -> Iterator[str]:
        if scene.storage is None:
            raise NotHereError("files are in a folder")
        before = scene.disturbed
        with scene.storage.switched(way):
            yield f"Storage {way}"
        if scene.disturbed == before:
            raise NotHereError("nothing was stored or read meanwhile")

    return inflict


def _model(way: str) -> Callable[[Scene], AbstractContextManager[str]]:
    @contextmanager
    def inflict(scene: Scene) -> Iterator[str]:
        if scene.model is None:
            raise NotHereError("there is no model")
        before = scene.disturbed
        with scene.model.switched(way):
            yield f"the model {way}"
            # Few entries are asked about.
            until(lambda: scene.disturbed > before, _AT_MOST_SECONDS)
        if scene.disturbed == before:
            raise NotHereError("nothing was asked meanwhile")

    return inflict


def _kind(name: str, about: str, inflict: Callable[[Scene], AbstractContextManager[str]]) -> Kind[Scene]:
    return Kind(name, about, inflict, _SECONDS, over_network=True)


NETWORK = (
    _kind("storage_slow", "each answer of Storage takes seconds", _storage(SLOW)),
    _kind("storage_broken", "Storage answers 500 or closes the connection", _storage(BROKEN_DOWN)),
    _kind("storage_wrong", "Storage answers 200 with a page of a gateway", _storage(WRONG)),
    _kind("model_slow", "the model answers after the time that it is given", _model(SLOW)),
    _kind("model_broken", "the model answers 500 or closes the connection", _model(BROKEN_DOWN)),
    _kind("model_wrong", "the model writes no JSON, or another one than was asked for", _model(WRONG)),
)
