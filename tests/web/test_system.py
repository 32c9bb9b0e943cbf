"""The page of the system says what `flask doctor` says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from core.messages import say
from services.context import Context
from services.doctor.checks import examine
from tests.support.site import unreachable_redis
from web.access import EXTENSION, ContextHolder


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_the_same(signed_in, context: Context) -> None:
    page = signed_in("auditor").get("/admin/system").text
    for finding in examine(context, elsewhere=False):
        assert say(finding.message).replace("'", "&#39;") in page
    assert "Check this" in page
    assert (
        "No problems found." in page and "were not tested" in page and "Also test the language model" not in page
    )


def test_admins_ask_services_elsewhere(signed_in) -> None:
    client = signed_in("admin")
    assert "Also test the language model" in client.get("/admin/system").text
    assert "No language model is set up" in client.post("/admin/system").text
    assert signed_in("auditor").post("/admin/system").status_code == 403


def test_what_is_wrong_comes_first(app: Flask, signed_in, context: Context) -> None:
    client = signed_in("admin")
    app.extensions[EXTENSION] = ContextHolder(context.settings, replace(context, redis=unreachable_redis()))
    page = client.get("/admin/system").text
    assert "There is a problem." in page
    assert page.index("The queue is not responding") < page.index("The database is responding")
