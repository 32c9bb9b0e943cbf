"""The providers of sources: which may be asked, and why others are off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.messages import Message
from research.sources import open_sources
from services.context import Context


@dataclass(frozen=True)
class Providers:
    """What the form offers."""

    on: tuple[str, ...]
    #: Name, and the sentence that says what would turn it on.
    off: Sequence[tuple[str, Message]]


def providers(context: Context) -> Providers:
    """As the settings stand."""
    opened = open_sources(context.settings, context.database, context.store)
    return Providers(tuple(source.name for source in opened.on), opened.off)
