"""Whether the web server, or a worker, of this machine is alive: what a container engine asks (`deploy/`).

`python -m commands.alive [--worker]`, a module of its own because it loads nothing of the app: it is asked often.
"""

from __future__ import annotations

import socket
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import click
from redis import Redis
from redis.exceptions import RedisError

from core.config import Settings, load_settings
from core.queue import worker_count

_SECONDS = 8.0


@click.command()
@click.option("--worker", is_flag=True, help="Ask the queue of REDIS_URL for workers of this machine.")
def main(worker: bool) -> None:
    """Exit with 1 where nothing of this machine answers."""
    settings = load_settings()
    if not (_has_worker(settings) if worker else _answers(settings)):
        raise SystemExit(1)


def _answers(settings: Settings) -> bool:
    """Whether `/healthz` of this machine's web server says that database and queue answer too."""
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{settings.port}/healthz", timeout=_SECONDS) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def _has_worker(settings: Settings) -> bool:
    if settings.redis_url is None:
        raise click.UsageError("--worker needs REDIS_URL")
    try:
        with Redis.from_url(settings.redis_url, socket_timeout=_SECONDS) as redis:
            return worker_count(redis, socket.gethostname()) > 0
    except (RedisError, OSError):
        return False


if __name__ == "__main__":
    main()
