"""Flask commands, each loaded when it is called: a server or a worker starts without the others."""

from __future__ import annotations

from importlib import import_module

import click
from flask import Flask
from flask.cli import AppGroup

#: The commands of each module.
_NAMES = {
    "data": (
        *("backup", "db-upgrade", "db-url", "erase", "export", "export-child"),
        *("labels", "prune", "purge", "restore"),
    ),
    "demo": ("demo",),
    "library": ("library",),
    "office": ("schools", "seasons", "tokens", "users"),
    "research": ("research", "supervise"),
    "serving": ("serve",),
    "tending": ("doctor", "stats", "watch"),
    "workforce": ("worker",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


class _Commands(AppGroup):
    """Our commands beside those that are added to the app."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all, in order."""
        return sorted({*super().list_commands(ctx), *_MODULES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, None if there is none."""
        if cmd_name not in _MODULES:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(
            import_module(f"commands.{_MODULES[cmd_name]}"), cmd_name.replace("-", "_")
        )
        return command


def register(app: Flask) -> None:
    """Give the app's command line every command."""
    app.cli = _Commands(app.name)
