"""Register the blueprints of all areas."""

from __future__ import annotations

from flask import Flask

from web import (
    admin,
    api,
    audits,
    auth,
    duplicates,
    exports,
    health,
    home,
    letters,
    lists,
    metrics,
    research,
    review,
    schools,
    submissions,
)
from web.extensions import csrf


def register_blueprints(app: Flask) -> None:
    """Register every blueprint at its URL prefix."""
    entries = (submissions, duplicates, letters, lists, exports)
    people = (home, auth, *entries, review, audits, schools, research, admin)
    for area in (*people, api, health, metrics):
        app.register_blueprint(area.blueprint)
    # Exempt from CSRF protection: the API accepts only tokens, which browsers do not send by themselves.
    csrf.exempt(api.blueprint)
