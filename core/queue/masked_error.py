"""An exception without what it says: its messages may quote an entry, its classes and frames do not."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.config import ROOT
from core.errors import AppError

#: Frames kept of one exception, the innermost ones.
_MOST_FRAMES = 30
#: Exceptions kept of one chain.
_LONGEST_CHAIN = 8


def masked(error: BaseException) -> list[dict[str, Any]]:
    """Return the chain of an exception as JSON, the cause first.

    Each is `{"kind": class, "code": an AppError's or None, "frames": [[file, line, function], …]}`. Files are
    relative to the product or to the packages.
    """
    return [
        {
            "kind": f"{type(one).__module__}.{type(one).__qualname__}".removeprefix("builtins."),
            "code": str(one.code) if isinstance(one, AppError) else None,
            "frames": [
                [_short(frame.filename), frame.lineno or 0, frame.name]
                for frame in traceback.extract_tb(one.__traceback__)[-_MOST_FRAMES:]
            ],
        }
        for one in reversed([*_chain(error)])
    ]


def as_text(errors: Sequence[Mapping[str, Any]]) -> str:
    """Return what `masked` gives in the form of a traceback."""
    return "\n".join(line for error in errors for line in _lines(error))


def _lines(error: Mapping[str, Any]) -> Iterator[str]:
    for file, line, function in error["frames"]:
        yield f'  File "{file}", line {line}, in {function}'
    yield f"{error['kind']}: {error['code']}" if error["code"] else str(error["kind"])


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen and len(seen) < _LONGEST_CHAIN:
        seen.add(id(one))
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _short(filename: str) -> str:
    """Return a path below the product or the packages: where a machine keeps them says nothing."""
    path = Path(filename)
    if "site-packages" in path.parts:
        return Path(*path.parts[path.parts.index("site-packages") + 1 :]).as_posix()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
