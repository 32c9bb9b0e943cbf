from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.clock import utcnow
from core.config import Settings
from core.errors import AppError, ConflictError, InvalidInputError
from flask_app import create_app
from pipeline.reason_codes import WrongValue
from services.context import Context
from services.messages.entries import Conflict, Refused
from services.messages.office import AccountRefused
from web.i18n import LANGUAGES, full_day, say
from web.templating import ago, file_size, moment, time_of_day, zone_name

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}


@pytest.mark.parametrize(
    ("asked", "language"),
    [("es-MX,en;q=0.5", "es"), ("en-GB", "en"), ("fr", "en"), ("", "en"), ("de,es;q=0.1", "es")],
)
def test_what_the_browser_asks_for(client: FlaskClient, asked: str, language: str) -> None:
    page = client.get("/sign-in", headers={"Accept-Language": asked}).text
    assert f'<html lang="{language}"' in page
    assert ("Iniciar sesión" in page) == (language == "es")


def test_a_choice_outweighs_the_browser_and_keeps_the_page(client: FlaskClient) -> None:
    answer = client.post("/language", data={"language": "es", "next": "/sign-in?next=%2Fupload"})
    assert answer.location == "/sign-in?next=%2Fupload"
    page = client.get(answer.location, headers={"Accept-Language": "en"}).text
    assert '<html lang="es"' in page and 'value="en" lang="en"' in page, "the way back is in its own words"


@pytest.mark.parametrize("wanted", ["fr", "", "../es"])
def test_no_other_language_is_kept(client: FlaskClient, wanted: str) -> None:
    answer = client.post("/language", data={"language": wanted, "next": "//elsewhere.example.org"})
    assert "Set-Cookie" not in answer.headers and answer.location == "/"


@pytest.mark.parametrize(
    ("error", "spanish"),
    [
        (
            InvalidInputError(AccountRefused.PASSWORD_TOO_SHORT, limit=12),
            "La contraseña necesita al menos 12 caracteres.",
        ),
        (ConflictError(Conflict.DECIDED, deed="approved", who="Robin Ames"), "aprobada por Robin Ames"),
        (InvalidInputError(WrongValue.NOT_A_GRADE, field="grade"), "Grado: K o un número del 1 al 12"),
        (
            InvalidInputError(Refused.STILL_MISSING, fields=["grade", "school_name"]),
            "todavía falta: Grado, Escuela",
        ),
    ],
)
def test_what_was_wrong_is_told_in_spanish(app: Flask, error: AppError, spanish: str) -> None:
    with app.test_request_context(headers=SPANISH):
        assert say(error.told) == spanish
    assert say(error.told) == error.detail, "English where there is no request"


def test_dates_and_numbers(app: Flask) -> None:
    at = datetime(2026, 1, 5, 14, 30, tzinfo=UTC)
    with app.test_request_context(headers=SPANISH):
        assert moment(at) == "5 ene 2026, 14:30"
        assert ago(utcnow() - timedelta(hours=1)) == "hace 1 hora"
        assert ago(utcnow() - timedelta(days=3)) == "hace 3 días"
        assert file_size(1536) == "1.5 kB"
    with app.test_request_context():
        assert moment(at) == "Jan 5, 2026, 14:30"


def test_times_are_those_of_the_office(settings: Settings, context: Context) -> None:
    """Also where that is another day than in UTC; the zone is named once, at the foot of the page."""
    app = create_app(settings.model_copy(update={"office_timezone": "America/New_York"}), context)
    at = datetime(2026, 1, 5, 2, 30, tzinfo=UTC)
    with app.test_request_context():
        assert (moment(at), time_of_day(at), full_day(at)) == ("Jan 4, 2026, 21:30", "21:30", "Jan 4, 2026")
        assert zone_name(ZoneInfo("America/New_York")) == "Eastern Time"
    with app.test_request_context(headers=SPANISH):
        assert zone_name(ZoneInfo("America/New_York")) == "hora oriental"


def test_an_error_is_told_in_spanish(client: FlaskClient) -> None:
    page = client.get("/nowhere", headers=SPANISH).text
    assert "Página no encontrada" in page and "Page not found" not in page
    assert set(LANGUAGES) == {"en", "es"}
