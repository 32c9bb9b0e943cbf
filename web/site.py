"""All areas of the site."""

from __future__ import annotations

from flask import Flask

from web import admin, auth, health, home, review, submissions


def register_blueprints(app: Flask) -> None:
    """Put every area at its address."""
    for area in (home, auth, submissions, review, admin, health):
        app.register_blueprint(area.blueprint)
