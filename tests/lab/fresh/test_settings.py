"""What a new userland is told of this machine's package sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.fresh.settings import named_paths, passed_on

_PIP_CONF = """
[global]
# find-links = /srv/left-out
find-links = /srv/wheels
cert = /etc/ssl/bundle.crt
extra-index-url = file:///srv/one/simple file:///srv/two/simple
index-url = https://packages.example.org/simple/
"""


def test_paths_that_settings_name() -> None:
    named = ["/srv/wheels", "/etc/ssl/bundle.crt", "/srv/one/simple", "/srv/two/simple"]
    assert list(named_paths(_PIP_CONF)) == [Path(name) for name in named]


@pytest.mark.parametrize(
    "text", ["deb [signed-by=/usr/share/keyrings/own.gpg] http://example.org/debian bookworm main"]
)
def test_the_key_of_a_source_is_named_and_its_host_is_not(text: str) -> None:
    assert list(named_paths(text)) == [Path("/usr/share/keyrings/own.gpg")]


def test_a_command_inherits_what_reaches_packages_and_nothing_else() -> None:
    given = {"https_proxy": "http://127.0.0.1:1", "PIP_CERT": "/etc/a.crt", "SECRET_KEY": "s", "PATH": "/mine"}
    told = passed_on(given)
    assert told["https_proxy"] and told["PIP_CERT"]
    assert "SECRET_KEY" not in told and told["PATH"] != "/mine"
