"""Web servers and workers as processes of their own, over the full database or over one of their own."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lab.bench.office import client_of
from lab.bench.scale.place import Scaled
from lab.faults.installation import Installation


@contextmanager
def web_servers(site: Scaled, number: int, workers: int = 1) -> Iterator[list[str]]:
    """Serve the site from so many processes, with so many workers beside them; yield the addresses."""
    with ExitStack() as parts:
        found = [
            parts.enter_context(installed(_settings(site), site.context.settings.var_dir)) for _ in range(number)
        ]
        found[0].start_workforce(workers)
        for one in found:
            one.start_web()
        yield [one.url for one in found]


@contextmanager
def web_server(site: Scaled) -> Iterator[Installation]:
    """Serve the site from one process, and yield the installation that it belongs to."""
    with installed(_settings(site), site.context.settings.var_dir) as found:
        found.start_web()
        yield found


@contextmanager
def installed(settings: Mapping[str, str], var: Path | None = None) -> Iterator[Installation]:
    """Yield an installation in a scratch folder, of which nothing runs yet; end what was started.

    `var`: the folder of its data; without one, it gets its own, with embedded servers.
    """
    with tempfile.TemporaryDirectory(prefix="bench-scale-") as name:
        folder = Path(name)
        # The servers may run as another user, who must get in.
        folder.chmod(0o755)
        installation = Installation(folder, settings, var)
        try:
            yield installation
        finally:
            installation.stop()


def _settings(site: Scaled) -> dict[str, str]:
    settings = site.context.settings
    return {
        "DATABASE_URL": site.url,
        "REDIS_URL": str(settings.redis_url),
        "SECRET_KEY": "bench",
        "LOG_LEVEL": "error",
        "REQUIRE_SECOND_FACTOR": "false",
    }


def cookie_of(site: Scaled, person_id: uuid.UUID) -> str:
    """Return the value of the session cookie that signing in gives."""
    cookie = client_of(site.app, site.context, person_id).get_cookie("second_reader")
    assert cookie is not None
    return cookie.value
