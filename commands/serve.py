"""`flask serve`: serve the app on HOST and PORT."""

from __future__ import annotations

import click
from flask import current_app
from flask.cli import with_appcontext

from commands.opened import opened_context
from commands.serving.address import address_of, bound
from commands.serving.privileges import drop_root
from commands.serving.signals import end_on_signals
from commands.serving.web_server import WebServer
from core.config import get_settings
from core.log import configure_logging


@click.command("serve")
@with_appcontext
def serve() -> None:
    """Serve requests until stopped; any number of processes can run, each on its own port."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    with bound(settings) as listener:
        drop_root(settings)
        with opened_context(settings):
            server = WebServer(current_app.wsgi_app, listener, settings.max_request_bytes)
            click.echo(f"Second Reader is open at {address_of(settings, listener)}. Press Ctrl-C to stop.")
            server.run()
