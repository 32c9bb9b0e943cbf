"""What `flask shell` offers."""

from __future__ import annotations

from core.config import Settings
from core.database import db
from core.models import Base
from flask_app import create_app
from services.context import Context


def test_the_shell_offers_models_and_context(settings: Settings, context: Context) -> None:
    """`context` is the fixture that tidies up; the shell opens one of its own, over the engine of its app."""
    app = create_app(settings)
    with app.app_context():
        names = app.make_shell_context()
        assert {mapper.class_.__name__ for mapper in Base.registry.mappers} < set(names)
        assert names["db"] is db and names["context"].database.engine is db.engine
        assert db.session.query(names["Season"]).count() == 0
    names["context"].close()
