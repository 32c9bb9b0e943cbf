"""Redirects never leave the site."""

from __future__ import annotations

import pytest

from web.security.requests import own_path


@pytest.mark.parametrize("path", ["/", "/submissions?status=failed", "/review/suggestions#box"])
def test_own_paths_are_kept(path: str) -> None:
    assert own_path(path, "/home") == path


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "submissions",
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/a\nb",
        "/\t/evil.example",
    ],
)
def test_all_others_are_replaced(path: str | None) -> None:
    assert own_path(path, "/home") == "/home"
