"""Flask commands."""

from __future__ import annotations

from flask import Flask


def register(app: Flask) -> None:
    """Add every command to the app's command line."""
    # Imported here, so that the app does not load servers and workers to answer requests.
    from commands.data import (
        backup,
        db_upgrade,
        db_url,
        erase,
        export,
        export_child,
        labels,
        prune,
        purge,
        restore,
    )
    from commands.library import library
    from commands.office import schools, seasons, tokens, users
    from commands.research import research, supervise
    from commands.serve import demo, doctor, serve, stats, watch, worker

    for command in (
        backup,
        restore,
        db_upgrade,
        db_url,
        demo,
        doctor,
        erase,
        export,
        export_child,
        labels,
        library,
        prune,
        purge,
        research,
        schools,
        seasons,
        serve,
        stats,
        supervise,
        tokens,
        users,
        watch,
        worker,
    ):
        app.cli.add_command(command)
