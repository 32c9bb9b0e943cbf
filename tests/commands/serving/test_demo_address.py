"""The demo's port is had before anything is set up, and a second demo is told where the first one is."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands.serving import browser_url, listening
from core.config import ROOT, Settings


@pytest.fixture
def given(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, var_dir=tmp_path, port=0)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_it_listens_where_it_says(given: Settings) -> None:
    with listening(given) as listener:
        host, _, port = browser_url(given, listener).removeprefix("http://").partition(":")
        socket.create_connection((host, int(port))).close()


def test_a_second_demo_is_told_the_address_of_the_first(given: Settings) -> None:
    with listening(given) as listener:
        address = browser_url(given, listener)
        with pytest.raises(click.ClickException, match=f"open already at {address};"):
            listening(given).__enter__()


def test_a_port_that_is_taken_is_named(given: Settings, taken: int) -> None:
    with pytest.raises(click.ClickException, match=f"port {taken} is taken"):
        listening(given.model_copy(update={"port": taken})).__enter__()


def test_the_address_is_free_again_at_the_end(given: Settings) -> None:
    with listening(given) as listener:
        port = listener.getsockname()[1]
    with listening(given.model_copy(update={"port": port})) as again:
        assert again.getsockname()[1] == port


def test_nothing_is_set_up_where_the_port_is_taken(tmp_path: Path, taken: int) -> None:
    environment = {**os.environ, "DEMO_ACCOUNTS": "true", "VAR_DIR": str(tmp_path), "PORT": str(taken)}
    ended = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "flask_app", "demo"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (
        1,
        f"Error: port {taken} is taken by another program; set PORT to another one\n",
    )
    assert {path.name for path in tmp_path.iterdir()} == {"demo.lock"}
