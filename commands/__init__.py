"""Flask commands, one group per file."""

from __future__ import annotations

from flask import Flask


def register(app: Flask) -> None:
    """Add every command to the app's command line."""
    # Imported here, so that the app does not load servers and workers to answer requests.
    from commands.backup import backup, restore
    from commands.children import erase, export_child, purge
    from commands.db import db_upgrade, db_url
    from commands.demo import demo
    from commands.doctor import doctor
    from commands.export import export
    from commands.labels import labels
    from commands.library import library
    from commands.prune import prune
    from commands.research import research
    from commands.schools import schools
    from commands.seasons import seasons
    from commands.serve import serve
    from commands.stats import stats
    from commands.supervise import supervise
    from commands.tokens import tokens
    from commands.users import users
    from commands.watch import watch
    from commands.worker import worker

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
