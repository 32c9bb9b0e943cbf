"""All areas of the site."""

from __future__ import annotations

from flask import Flask

from web import admin, api, auth, health, home, research, review, submissions
from web.extensions import csrf


def register_blueprints(app: Flask) -> None:
    """Put every area at its address."""
    for area in (home, auth, submissions, review, research, admin, api, health):
        app.register_blueprint(area.blueprint)
    # Opened by tokens alone, which no browser sends by itself.
    csrf.exempt(api.blueprint)
