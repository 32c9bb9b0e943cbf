"""The database of a Supabase project behind pgbouncer, as its `postgres`, in session and in transaction mode.

Sessions, a job, checkpoints, every page, migrations. The rights of other roles: `row_level_security`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypedDict
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from langgraph.graph import StateGraph
from sqlalchemy import select, text

import jobs.worker
from commands import data as module
from core.config import Settings
from core.database import upgrade
from core.graphs import open_saver
from core.models import Season
from core.queue import open_queue
from flask_app import create_app
from services.accounts.people import create_user
from services.accounts.person import Role
from services.accounts.sign_in import sign_in
from services.context import Context
from tests.support.every_page import filled
from tests.support.parts import need
from tests.support.pooler import Mode, pooled
from tests.support.site import person, sign_in_as, tidy_context
from tests.support.supabase_project import Project
from tests.support.told_by_job import TOLD_KEY, tell_backend

#: More than psycopg sends before it prepares a statement.
OFTEN = 12
PASSWORD = "four quiet words here"


class Counted(TypedDict):
    number: int


@pytest.fixture(params=["session", "transaction"])
def mode(request: pytest.FixtureRequest) -> Mode:
    need("pgbouncer")
    return request.param


@pytest.fixture
def context(settings: Settings, supabase: Project, project_url: str, mode: Mode) -> Iterator[Context]:
    with pooled(project_url, supabase.var_dir, mode) as address:
        behind = settings.model_copy(
            update={"database_url": address, "database_transaction_pooler": mode == "transaction"}
        )
        with tidy_context(behind) as opened:
            yield opened


def test_the_same_statements_again_and_again(context: Context) -> None:
    names = [f"season {number} {uuid4()}" for number in range(OFTEN)]
    for name in names:
        with context.database.session() as session, context.database.session() as beside:
            session.add(Season(name=name))
            session.flush()
            assert beside.scalars(select(Season.name).where(Season.name == name)).all() == []
    assert len(context.database.scalars(select(Season.name).where(Season.name.in_(names)))) == OFTEN


def test_settings_of_a_transaction_end_with_it(context: Context) -> None:
    with context.database.session() as session:
        session.execute(text("set local statement_timeout = 12345"))
    for _ in range(OFTEN):
        assert context.database.scalar(text("show statement_timeout")) == "0"


def test_people_sign_in(context: Context) -> None:
    create_user(context, "ana@example.org", Role.REVIEWER, PASSWORD)
    assert sign_in(context, "ana@example.org", PASSWORD).role is Role.REVIEWER


def test_a_job(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.worker, "process_context", lambda: context)
    queue = open_queue(context.redis)
    queue.enqueue(tell_backend, "an id")
    runnable = frozenset([f"{tell_backend.__module__}.{tell_backend.__name__}"])
    jobs.worker.AppWorker([queue], runnable, connection=context.redis).work(burst=True)
    assert context.redis.get(TOLD_KEY) is not None


def test_checkpoints(context: Context) -> None:
    graph = StateGraph(Counted)
    for number in range(OFTEN):
        graph.add_node(f"step_{number}", lambda state: {"number": state["number"] + 1})
    names = [f"step_{number}" for number in range(OFTEN)]
    graph.set_entry_point(names[0])
    for before, after in pairwise(names):
        graph.add_edge(before, after)
    place = {"configurable": {"thread_id": "behind a pooler"}}
    graph.compile(checkpointer=open_saver(context.database)).invoke({"number": 0}, place)
    again = graph.compile(checkpointer=open_saver(context.database))
    assert again.get_state(place).values == {"number": OFTEN}
    assert len(list(again.get_state_history(place))) > OFTEN


@pytest.mark.parametrize("mode", ["transaction"], indirect=True)
def test_every_page(context: Context) -> None:
    site = create_app(context.settings, context)
    site.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    for role, addresses in filled(context).items():
        client = site.test_client()
        if role is not None:
            sign_in_as(client, person(context, role))
        statuses = {address: client.get(address).status_code for address in addresses}
        # 202: a file that is being made; 403: what the role may not.
        assert [found for found in statuses.items() if found[1] not in (200, 202, 403)] == []


def test_the_role_of_a_project_is_no_superuser(project_url: str) -> None:
    with psycopg.connect(project_url) as connection:
        found = connection.execute(
            "select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user"
        )
        assert found.fetchone() == (False, True, True)


def test_migrations(supabase: Project, slot: int) -> None:
    need("pgbouncer")
    with supabase.database(slot, "pooled") as url:
        with pooled(url, supabase.var_dir, "session") as address:
            assert upgrade(address)
            assert upgrade(address) == []
        with psycopg.connect(url) as connection:
            found = connection.execute(
                "select to_regclass('langgraph.checkpoints'), to_regclass('checkpoints'),"
                " to_regclass('embeddings.passage_texts')"
            )
            assert found.fetchone() == ("langgraph.checkpoints", None, "embeddings.passage_texts")
        assert urlsplit(address).path == urlsplit(url).path


def test_no_migrations_in_transaction_mode(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = settings.model_copy(update={"database_transaction_pooler": True})
    monkeypatch.setattr(module, "get_settings", lambda: behind)
    refused = CliRunner().invoke(module.db_upgrade)
    assert refused.exit_code == 1 and "session pooler" in refused.output
