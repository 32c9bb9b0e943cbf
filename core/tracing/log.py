"""Structured logs: run and submission ids in every line of a job, never personal data or texts of exceptions."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog

from core.config import ROOT, Settings
from core.errors import AppError


def configure_logging(settings: Settings) -> None:
    """Send structlog's and the standard library's records to stderr, as lines for people or as JSON."""
    level = getattr(logging, settings.log_level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # The default shows the local variables of each frame where `rich` is installed: passwords, names, essays.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer]
        if settings.log_format == "json"
        else [*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=max(level, logging.WARNING), stream=sys.stderr, force=True)


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(module=name)
    return logger


# Exceptions without their messages, which may quote an entry; classes and frames do not.


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


def traceback_text(errors: Sequence[Mapping[str, Any]]) -> str:
    """Format the result of `masked` like a traceback."""
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
    """Return a path relative to the product or the packages."""
    path = Path(filename)
    if "site-packages" in path.parts:
        return Path(*path.parts[path.parts.index("site-packages") + 1 :]).as_posix()
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
