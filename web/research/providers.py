"""The providers of sources that are enabled, and why others are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.messages import Message
from research.sources import open_sources
from services.context import Context


@dataclass(frozen=True)
class Providers:
    """The enabled and disabled providers, for the form."""

    on: tuple[str, ...]
    #: Names, each with a message that says how to enable the provider.
    off: Sequence[tuple[str, Message]]


def providers(context: Context) -> Providers:
    """Return the providers according to the settings."""
    opened = open_sources(context.settings, context.database, context.store)
    return Providers(tuple(source.name for source in opened.on), opened.off)
