"""Each check finds what it is for, and nothing else; no finding holds a secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from core.clock import utcnow
from core.config import Settings, Stray, stray_variables
from core.confined.children import missing_protections
from core.confined.isolation import Protection
from core.database import Database, Migration
from core.errors import StorageError
from core.file_store import LocalFileStore
from core.llm import embeddings
from core.messages import say
from core.models import LibraryDocument
from services.context import Context
from services.doctor import checks as check_children_module
from services.doctor import checks as module
from services.doctor.checks import (
    check_children,
    check_clocks,
    check_lists,
    check_settings,
    check_variables,
    clock_finding,
    examine,
    something_wrong,
    try_database,
    try_mail,
    try_meaning,
    try_model,
    try_queue,
    try_store,
    try_traces,
    try_vision,
)
from services.doctor.findings import Clock, DoctorCode, DoctorFinding, DoctorSeverity
from tests.support import factories
from tests.support.mail_server import MailServer
from tests.support.servers.embeddings_server import KEY, EmbeddingsServer
from tests.support.servers.groq_server import GroqServer, answer, picture_urls, refusal
from tests.support.servers.langsmith_server import LangSmithServer
from tests.support.site import unreachable_redis

NOWHERE = "postgresql://127.0.0.1:1/nothing"
_SECRET = "gsk_very_secret_0000"


def told(findings: Iterator[DoctorFinding] | list[DoctorFinding]) -> list[tuple[str, str]]:
    return [(finding.severity.value, finding.message.code.removeprefix("doctor_")) for finding in findings]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No `.env` of this checkout."""
    monkeypatch.chdir(tmp_path)


def with_settings(context: Context, **values: Any) -> Context:
    return replace(context, settings=Settings(_env_file=None, **values))  # type: ignore[arg-type]


def test_the_database(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = try_database(context)
    assert told([first, second]) == [("fine", "database_answers"), ("fine", "migrations_current")]
    assert first.seconds is not None and str(first.message.params["version"])[:2].isdigit()
    away = replace(context, database=Database(NOWHERE))
    (silent,) = try_database(away)
    assert told([silent]) == [("wrong", "database_silent")] and "127.0.0.1" not in json.dumps(
        silent.message.to_json()
    )
    monkeypatch.setattr("core.database.read_migrations", lambda: [Migration("999", "to_come", "")])
    assert [*try_database(context)][1].message.params == {"versions": ["999"]}


def test_the_queue(context: Context) -> None:
    assert told(try_queue(context)) == [("fine", "queue_answers"), ("look", "workers_none")]
    assert told(try_queue(replace(context, redis=unreachable_redis()))) == [("wrong", "queue_silent")]


class Forgetful(LocalFileStore):
    """Gives back other bytes."""

    def get(self, key: str) -> bytes:
        return b"other"


class Full(LocalFileStore):
    """Takes nothing."""

    def put(self, key: str, data: bytes, content_type: str = "") -> None:
        raise StorageError("no space left at /secret/place")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (LocalFileStore, ("fine", "store_answers")),
        (Forgetful, ("wrong", "store_changes")),
        (Full, ("wrong", "store_refuses")),
    ],
)
def test_the_store(
    context: Context, tmp_path: Path, kind: type[LocalFileStore], expected: tuple[str, str]
) -> None:
    store = kind(tmp_path / "files")
    (found,) = try_store(replace(context, store=store))
    assert told([found]) == [expected] and "/secret/place" not in say(found.message)
    assert not [path for path in (tmp_path / "files").rglob("*") if path.is_file()]


def test_no_model(context: Context) -> None:
    assert told(try_model(context)) == [("look", "model_none")]


@pytest.mark.parametrize(
    ("key", "expected"), [(GroqServer.key, ("fine", "model_answers")), (_SECRET, ("wrong", "model_fails"))]
)
def test_a_model_is_asked_once_and_holds_its_key_for_itself(
    context: Context, key: str, expected: tuple[str, str]
) -> None:
    with GroqServer(otherwise=answer({"ok": True})) as server:
        given = {"groq_api_key": key, "groq_base_url": server.url, "llm_max_attempts": 1}
        (found,) = try_model(with_settings(context, **given))
        assert told([found]) == [expected] and len(server.requests) == 1
    assert found.message.params["model"] == "llama-3.3-70b-versatile" and found.seconds is not None
    assert key not in json.dumps(found.message.to_json()) and key not in say(found.message)


@pytest.mark.parametrize(
    ("status", "name", "expected"),
    [
        (200, " MARISOL VEGA\n", ("fine", "vision_reads")),
        (200, "Robin", ("wrong", "vision_misreads")),
        (400, "", ("wrong", "vision_fails")),
    ],
)
def test_a_vision_model_reads_a_drawn_header_and_says_what_it_cost(
    context: Context, status: int, name: str, expected: tuple[str, str]
) -> None:
    assert told(try_vision(with_settings(context, groq_api_key=_SECRET))) == [("fine", "vision_none")]
    said = {"student_name": name, "school_name": "Juniper Elementary School", "grade": "4"}
    reply = answer(said, tokens=(1000, 200)) if status == 200 else refusal(status, "no pictures here")
    with GroqServer(otherwise=reply) as server:
        given = {"vision_model": "seeing", "vision_base_url": server.openai_url, "vision_api_key": server.key}
        prices = {"vision_price_in": 0.5, "vision_price_out": 2.0}
        (found,) = try_vision(with_settings(context, **given, **prices))
        assert told([found]) == [expected] and server.faults == []
        assert len(picture_urls(server.bodies[0]["messages"])) == 1
    assert status != 200 or "1,200 tokens, $0.0009" in say(found.message)
    assert found.message.params["model"] == "seeing" and server.key not in say(found.message)


def test_meaning(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(try_meaning(context)) == [("look", "meaning_none")]
    monkeypatch.setattr(embeddings, "is_installed", lambda: False)
    assert told(try_meaning(with_settings(context, embeddings_provider="local"))) == [
        ("look", "meaning_not_installed")
    ]
    with EmbeddingsServer() as server:
        given = {
            "embeddings_provider": "endpoint",
            "embeddings_base_url": f"{server.url}/v1",
            "embeddings_model": "small",
            "embeddings_max_attempts": 1,
        }
        assert told(try_meaning(with_settings(context, **given))) == [("wrong", "meaning_fails")]
        right = {**given, "embeddings_api_key": SecretStr(KEY)}
        assert told(try_meaning(with_settings(context, **right))) == [("fine", "meaning_answers")]
        longer = with_settings(context, **right, embeddings_dimensions=512)
        assert told(try_meaning(longer)) == [("wrong", "meaning_other_length"), ("fine", "meaning_answers")]
        monkeypatch.setattr(module, "stored_dimensions", lambda session: None)
        assert ("look", "meaning_not_stored") in told(try_meaning(with_settings(context, **right)))


def traced(context: Context, server: LangSmithServer, **values: Any) -> Context:
    given = {"langsmith_tracing": True, "langsmith_api_key": server.key, "langsmith_endpoint": server.url}
    return with_settings(context, **{**given, **values})


def test_traces(context: Context) -> None:
    assert told(try_traces(context)) == [("fine", "traces_off")]
    with LangSmithServer() as server:
        assert told(try_traces(traced(context, server))) == [("fine", "traces_answer")]
        other = traced(context, server, langsmith_project="another", langsmith_send_content=True)
        assert told(try_traces(other)) == [("fine", "traces_new"), ("look", "traces_open")]
    (away,) = try_traces(traced(context, server))
    assert told([away]) == [("wrong", "traces_fail")] and server.key not in say(away.message)


def test_a_key_that_the_trace_endpoint_refuses(context: Context) -> None:
    with LangSmithServer() as server:
        assert told(try_traces(traced(context, server, langsmith_api_key=_SECRET))) == [("wrong", "traces_fail")]


def test_mail(context: Context, mail_server: MailServer) -> None:
    assert told(try_mail(context)) == [("look", "mail_none")]
    with context.database.session() as session:
        factories.make_mail(session, state="failed", error_code="mail_recipient")
    found = told(try_mail(with_settings(context, **mail_server.settings)))
    assert found == [("fine", "mail_answers"), ("look", "mails_failed")] and mail_server.received == []
    wrong = with_settings(context, **(mail_server.settings | {"smtp_security": "starttls"}))
    assert told(try_mail(wrong))[0] == ("wrong", "mail_fails")


def test_clocks(context: Context) -> None:
    assert told(check_clocks(context)) == [("fine", "clock_agrees")] * 2
    now = utcnow()
    for seconds, severity in (
        (4, DoctorSeverity.FINE),
        (-4, DoctorSeverity.FINE),
        (6, DoctorSeverity.WRONG),
        (-90, DoctorSeverity.WRONG),
    ):
        assert clock_finding(Clock.QUEUE, now + timedelta(seconds=seconds), now).severity is severity


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {}),
        ({"groq_api_key": _SECRET}, {}),
        ({"groq_api_key": _SECRET, "deep_thinking_budget": 2000}, {"DEEP_THINKING_BUDGET": "setting_ignored"}),
        ({"tesseract_languages": "eng"}, {"TESSERACT_LANGUAGES": "setting_ignored"}),
        ({"ocr_provider": "tesseract", "tesseract_languages": "eng"}, {}),
        ({"google_vision_api_key": _SECRET}, {"GOOGLE_VISION_API_KEY": "setting_ignored"}),
        ({"langsmith_project": "p"}, {"LANGSMITH_PROJECT": "setting_alone"}),
        ({"langsmith_tracing": True, "langsmith_api_key": _SECRET, "langsmith_project": "p"}, {}),
        ({"supabase_bucket": "b"}, {"SUPABASE_BUCKET": "setting_alone"}),
        ({"smtp_port": 2525}, {"SMTP_PORT": "setting_alone"}),
        ({"tavily_base_url": "http://127.0.0.1"}, {"TAVILY_BASE_URL": "setting_alone"}),
        ({"tavily_base_url": "http://127.0.0.1", "tavily_api_key": _SECRET}, {}),
        ({"use_orchestrator": False, "max_steps": 4}, {"MAX_STEPS": "setting_alone"}),
        ({"database_transaction_pooler": True}, {"DATABASE_TRANSACTION_POOLER": "setting_alone"}),
    ],
)
def test_settings_without_effect(context: Context, given: dict[str, Any], expected: dict[str, str]) -> None:
    found = [*check_settings(with_settings(context, **given))]
    named = {str(one.message.params["variable"]): one for one in found if one.severity is not DoctorSeverity.FINE}
    assert {name: one.message.code.removeprefix("doctor_") for name, one in named.items()} == expected
    assert bool(expected) != (told(found) == [("fine", "settings_count")])
    assert _SECRET not in json.dumps([one.message.to_json() for one in found])


def test_variables_that_are_no_settings(context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = f"GROQ_API_KEI={_SECRET}\nWORKERS=3\nSOMETHING=else\nLANGCHAIN_PROJECT=p\nLANGSMITH_PROJECT=q\n"
    (tmp_path / ".env").write_text(written)
    monkeypatch.setenv("DATABASE_URI", _SECRET)
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9")
    monkeypatch.setenv("EDITOR", "ed")
    strays = stray_variables()
    assert {
        Stray("GROQ_API_KEI", "GROQ_API_KEY", "file"),
        Stray("SOMETHING", None, "file"),
        Stray("DATABASE_URI", "DATABASE_URL", "environment"),
        Stray("LANGCHAIN_PROJECT", "LANGSMITH_PROJECT", "twice"),
    } == set(strays)
    found = [*check_variables(context)]
    assert sorted(told(found)) == [
        ("look", "variable_alike"),
        ("look", "variable_twice"),
        ("wrong", "variable_in_file"),
        ("wrong", "variable_misspelt"),
    ]
    assert _SECRET not in json.dumps([one.message.to_json() for one in found])


def test_the_environment_of_a_machine_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOSTNAME", "PATH", "HOME", "LANG", "TERM", "LOGNAME", "PORTAL", "USER", "HOSTTYPE", "WORKDIR"):
        monkeypatch.setenv(name, "x")
    assert stray_variables() == []


def test_children(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    lacks = missing_protections()
    assert told(check_children(context)) == [
        ("look", "children_unprotected") if lacks else ("fine", "children_protected")
    ]
    monkeypatch.setattr(check_children_module, "missing_protections", lambda: [Protection.FILES, Protection.CALLS])
    (found,) = check_children(context)
    assert told([found]) == [("look", "children_unprotected")]
    assert Protection.FILES.label in say(found.message) and Protection.CALLS.label in say(found.message)


def test_lists(context: Context) -> None:
    assert told(check_lists(context)) == [("look", "no_schools"), ("look", "no_documents")]
    with context.database.session() as session:
        factories.make_school(session, name="Juniper Hill")
        row = {"kind": "book", "original_filename": "a.md", "byte_size": 1, "sha256": "0" * 64}
        session.add(LibraryDocument(**row, storage_key="library/a", status="ready"))
    assert told(check_lists(context)) == []


def test_all_together(context: Context) -> None:
    findings = examine(context)
    assert not something_wrong(findings)
    away = replace(context, database=Database(NOWHERE), redis=unreachable_redis())
    found = examine(away)
    assert something_wrong(found) and {"database_silent", "queue_silent"} <= {code for _, code in told(found)}
    assert {code for _, code in told(examine(context))} - {code for _, code in told(examine(context, False))} == {
        "model_none",
        "vision_none",
        "meaning_none",
        "traces_off",
        "mail_none",
    }


def test_every_code_can_be_found() -> None:
    """A code that no check gives is a sentence that nobody reads."""
    from core.config import ROOT

    given = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "services" / "doctor").glob("*.py"))
    assert [code.name for code in DoctorCode if f"DoctorCode.{code.name}" not in given] == []
