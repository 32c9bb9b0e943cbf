"""Fixtures of the whole project: real embedded servers, with a database and a queue for each test process."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
import structlog

from core.config import Settings, load_settings
from core.embedded.handles import PostgresHandle, ValkeyHandle, start_postgres, start_valkey
from tests.support import services
from tests.support.compiled import compile_once
from tests.support.mail_server import MailServer
from tests.support.parts import skipped_for_want
from tests.support.tables import close_kept_connections, empty_tables_at

if TYPE_CHECKING:
    from core.database import Database
    from services.context import Context

#: Where the database and the queue of this test process are, once a test has asked for them.
DATABASE = pytest.StashKey[str]()
QUEUE = pytest.StashKey[str]()


def pytest_configure() -> None:
    """Before any app is made."""
    compile_once()


def pytest_collection_finish() -> None:
    """What was imported stays: without it a full garbage collection is short."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with long tests come first: one that is begun last would let the other cores wait for it."""
    marked = ("slow", "browser", "long")
    first = {item.path for item in items if any(item.get_closest_marker(name) for name in marked)}
    items.sort(key=lambda item: (item.path not in first, "browser" in item.path.parts))


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of a run says what could not be tried on this machine."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and (line := skipped_for_want(reporter.stats.get("skipped", ()))):
        reporter.write_line(line)


@pytest.fixture(scope="session")
def services_dir() -> Path:
    """The var folder whose servers all test processes of this checkout share."""
    return services.shared_var_dir()


@pytest.fixture(scope="session")
def postgres_server(services_dir: Path) -> Iterator[PostgresHandle]:
    """The shared PostgreSQL."""
    with start_postgres(services_dir) as handle:
        yield handle


@pytest.fixture(scope="session")
def valkey_server(services_dir: Path) -> Iterator[ValkeyHandle]:
    """The shared Valkey."""
    with start_valkey(services_dir) as handle:
        yield handle


@pytest.fixture(scope="session")
def slot(services_dir: Path) -> Iterator[int]:
    """A number that no other living test process has."""
    with services.slot(services_dir) as number:
        yield number


@pytest.fixture(scope="session")
def database_url(
    pytestconfig: pytest.Config, postgres_server: PostgresHandle, services_dir: Path, slot: int
) -> Iterator[str]:
    """A migrated database of this test process, empty when a file of tests begins."""
    with services.migrated_database(postgres_server.dsn, slot, services_dir) as url:
        pytestconfig.stash[DATABASE] = url
        yield url
        close_kept_connections()


@pytest.fixture(scope="session")
def redis_url(pytestconfig: pytest.Config, valkey_server: ValkeyHandle, slot: int) -> Iterator[str]:
    """A Valkey database of this test process, empty when a file of tests begins."""
    with services.empty_queue(valkey_server.url, slot) as url:
        pytestconfig.stash[QUEUE] = url
        yield url


@pytest.fixture(autouse=True, scope="module")
def nothing_left(pytestconfig: pytest.Config) -> Iterator[None]:
    """What the tests of a file leave in the database, on the queue and in the log's level is gone for the next.

    Which file comes next in a test process depends on how quick the others are.
    """
    logging = structlog.get_config()
    yield
    structlog.configure(**logging)
    if url := pytestconfig.stash.get(DATABASE, None):
        empty_tables_at(url)
    if url := pytestconfig.stash.get(QUEUE, None):
        with redis.Redis.from_url(url) as client:
            client.flushdb()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server that takes what it is sent; `mail_server.settings` are the settings that send by it."""
    with MailServer() as server:
        yield server


@pytest.fixture(scope="session")
def common_settings(database_url: str, redis_url: str) -> Settings:
    """What the settings of all tests of this process have in common; reading them anew takes 25 ms."""
    return load_settings(
        _env_file=None,
        var_dir=Path("/nowhere"),
        database_url=database_url,
        redis_url=redis_url,
        secret_key="test",
        demo_accounts=False,
        require_second_factor=False,
        embeddings_provider="none",
    )


@pytest.fixture
def settings(tmp_path: Path, common_settings: Settings) -> Settings:
    """Settings of a test: its own var folder, the test process's database and queue, no `.env`."""
    return common_settings.model_copy(update={"var_dir": tmp_path})


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    """A context on the database and the queue of this test process, which are empty again afterwards."""
    # Loaded only by tests that ask for it.
    from tests.support.site import tidy_context

    with tidy_context(settings) as opened:
        yield opened


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The database of this test process on connections of its own."""
    from core.database import Database

    opened = Database(database_url)
    yield opened
    opened.dispose()
