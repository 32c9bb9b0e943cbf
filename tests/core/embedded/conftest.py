"""A var folder of the test's own, with a space in its path, and both servers as parameters."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.embedded.account import FILE
from core.embedded.handles import start_postgres
from core.embedded.servers import PostgresServer
from tests.support import services
from tests.support.embedded import KINDS, Kind, Owner, fresh_var
from tests.support.long import LONG


@pytest.fixture(scope="session")
def made_cluster() -> Iterator[Path]:
    """A var folder with a cluster as the first start makes it; its server has ended."""
    with fresh_var(services.quick_folder()) as var:
        start_postgres(var).release()
        yield var


@pytest.fixture
def from_nothing() -> None:
    """For tests of the first start: `var_dir` is not there yet, so that the test makes its own cluster."""


@pytest.fixture
def var_dir(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Unlike `tmp_path`, a folder that the unprivileged user of root's servers can reach; nothing stays behind.

    A start finds a cluster in it: to make one takes longer than most tests. See `from_nothing`.
    """
    kind = request.node.callspec.params.get("kind") if hasattr(request.node, "callspec") else None
    with fresh_var(services.quick_folder()) as var:
        if "from_nothing" not in request.fixturenames and kind is not KINDS["valkey"]:
            _copy_cluster(request.getfixturevalue("made_cluster"), var)
        yield var


def _copy_cluster(made: Path, var: Path) -> None:
    """The data folder, and the secret that its passwords come from, with their owners and modes."""
    var.mkdir(mode=0o755)
    subprocess.run(["cp", "-a", made / PostgresServer.name, made / FILE, var], check=True)


@pytest.fixture
def disk_var_dir() -> Iterator[Path]:
    """The same on a disk, from which programs can be run."""
    with fresh_var(Path(tempfile.gettempdir())) as var:
        yield var


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`kind` is PostgreSQL, then Valkey; tests marked `long` try Valkey, which starts at once, or both."""
    if "kind" in metafunc.fixturenames:
        quick = metafunc.definition.get_closest_marker("long") is not None and not LONG
        kinds: list[Kind] = [KINDS["valkey"]] if quick else list(KINDS.values())
        metafunc.parametrize("kind", kinds, ids=[kind.name for kind in kinds])


@pytest.fixture
def own(var_dir: Path) -> Iterator[Callable[..., Owner]]:
    """Start owners in processes of their own; those that a failed test leaves are killed."""
    owners: list[Owner] = []

    def start(kind: Kind, **options: Any) -> Owner:
        owners.append(Owner(kind, var_dir, **options))
        return owners[-1]

    yield start
    for owner in owners:
        if owner.process.returncode is None:
            owner.kill()
