"""`flask worker`: run the worker processes of this machine, with scheduler and reconciler."""

from __future__ import annotations

import threading

import click

from commands.opened import opened_context
from commands.serving.privileges import drop_root
from commands.serving.signals import end_on_signals, ignore_signals
from commands.serving.workforce import Workforce
from core.config import get_settings
from core.log import configure_logging


@click.command("worker")
def worker() -> None:
    """Run WORKERS worker processes until stopped; any number of machines may do so."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    drop_root(settings)
    with opened_context(settings) as context:
        workforce = Workforce(settings, context)
        try:
            workforce.start()
            click.echo(f"{settings.workers} workers are waiting for entries. Press Ctrl-C to stop.")
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("Stopping the workers…")
        finally:
            ignore_signals()
            workforce.stop()
