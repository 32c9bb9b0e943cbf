"""What a container engine asks: is the web server of this machine alive, is a worker of it?"""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from redis import Redis

from commands import alive
from core.config import Settings
from core.queue import open_queue
from jobs.worker import AppWorker
from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response

Ask = Callable[..., int]


class Site(LoopbackServer):
    """Answers `/healthz` with this status."""

    status = 200

    def respond(self, request: Request) -> Response:
        return json_response({}, self.status if request.path == "/healthz" else 404)


@pytest.fixture
def ask(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Ask:
    def asked(*words: str, **given: object) -> int:
        monkeypatch.setattr(alive, "load_settings", lambda: settings.model_copy(update=given))
        return CliRunner().invoke(alive.main, words).exit_code

    return asked


def test_the_web_server(ask: Ask) -> None:
    with Site() as site:
        assert ask(port=site.port) == 0
        site.status = 503
        assert ask(port=site.port) == 1
    assert ask(port=site.port) == 1


def test_a_worker_of_this_machine(ask: Ask, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Redis.from_url(redis_url) as redis:
        assert ask("--worker") == 1
        monkeypatch.setattr(socket, "gethostname", lambda: "another")
        AppWorker([open_queue(redis)], connection=redis).register_birth()
        monkeypatch.undo()
        assert ask("--worker") == 1
        own = AppWorker([open_queue(redis)], connection=redis)
        own.register_birth()
        assert ask("--worker") == 0
        own.register_death()


def test_a_worker_whose_queue_is_away(ask: Ask) -> None:
    assert ask("--worker", redis_url="redis://127.0.0.1:1/0") == 1
    assert ask("--worker", redis_url=None) == 2
