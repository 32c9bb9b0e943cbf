"""Structured logs: run and submission ids in every line of a job, never personal data."""

from __future__ import annotations

import logging
import sys

import structlog

from core.config import Settings


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
    """A logger bound to its module's name."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(module=name)
    return logger
