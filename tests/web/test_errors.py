"""An error becomes a page or JSON, at one place, with a sentence that says what to do."""

from __future__ import annotations

import psycopg
import pytest
from flask import Flask, abort
from psycopg.errors import InvalidSchemaName, UndefinedColumn, UndefinedTable
from psycopg.errors import SyntaxError as SyntaxError_
from sqlalchemy.exc import ProgrammingError

from core import errors
from core.database import Database
from pipeline.reason_codes import WrongValue
from services.context import Context
from web.access import access


@pytest.fixture
def app(own_app: Flask) -> Flask:
    """Its routes are changed."""
    return own_app


_JSON = {"Accept": "application/json"}


def raising(app: Flask, error: Exception | int):
    @access("public")
    def view() -> str:
        if isinstance(error, int):
            abort(error)
        raise error

    app.add_url_rule("/raises", "raises", view)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app.test_client()


@pytest.mark.parametrize("error", sorted(errors.AppError.__subclasses__(), key=lambda kind: kind.code))
def test_our_errors_are_translated(app: Flask, error: type[errors.AppError]) -> None:
    client = raising(app, error("engineers only"))
    page, data = client.get("/raises"), client.get("/raises", headers=_JSON)
    assert page.status_code == data.status_code == error.http_status
    assert f"<code>{error.code}</code>" in page.text
    assert data.json["error"]["code"] == error.code
    assert data.json["error"]["help"] == error.code.label


@pytest.mark.parametrize("kind", [UndefinedTable, UndefinedColumn, InvalidSchemaName])
def test_a_database_that_was_never_migrated(app: Flask, kind: type[psycopg.Error]) -> None:
    response = raising(app, ProgrammingError("select", {}, kind("no such thing"))).get("/raises")
    assert response.status_code == 503 and "flask db-upgrade" in response.text


def test_a_database_that_is_away_is_not_asked_who_this_is(
    app: Flask, signed_in, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in("admin")
    app.config["PROPAGATE_EXCEPTIONS"] = False
    away = Database("postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1")
    monkeypatch.setattr(context, "database", away)
    response = client.get("/submissions")
    away.dispose()
    assert response.status_code == 503 and "<code>database_away</code>" in response.text


def test_a_bug_in_a_query_is_a_bug(app: Flask) -> None:
    response = raising(app, ProgrammingError("selec", {}, SyntaxError_("syntax"))).get("/raises")
    assert response.status_code == 500


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 415, 429])
def test_https_errors_are_translated(app: Flask, status: int) -> None:
    client = raising(app, status)
    assert client.get("/raises").status_code == status
    data = client.get("/raises", headers=_JSON)
    assert set(data.json["error"]) == {"code", "message", "help"}


def test_a_bug_is_a_page_without_its_insides(app: Flask) -> None:
    response = raising(app, ZeroDivisionError("secret of the house")).get("/raises")
    assert response.status_code == 500
    assert "internal_error" in response.text and "secret of the house" not in response.text


def test_details_for_engineers_are_not_shown_to_people(app: Flask) -> None:
    response = raising(app, errors.StorageError("bucket second-reader at 10.0.0.3")).get("/raises")
    assert response.status_code == 503 and "10.0.0.3" not in response.text


def test_what_did_not_fit_is_shown(app: Flask) -> None:
    response = raising(app, errors.InvalidInputError(WrongValue.NOT_A_GRADE, field="grade")).get("/raises")
    assert "Grade: K or a number from 1 to 12." in response.text


def test_too_many_bytes_are_refused_with_a_sentence(app: Flask, signed_in) -> None:
    app.config["MAX_CONTENT_LENGTH"] = 10
    response = signed_in("uploader").post("/upload", data={"files": (b"x" * 100, "big.pdf")}, headers=_JSON)
    assert (response.status_code, response.json["error"]["code"]) == (413, "request_too_large")
