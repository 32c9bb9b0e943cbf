"""What a proxy says is believed only where one is declared."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.models import Profile
from flask_app import create_app
from services.context import Context
from tests.support.site import sign_in_as

_FORWARDED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "office.example.org",
    "X-Forwarded-For": "203.0.113.9",
}


@pytest.mark.parametrize(("hops", "base"), [(0, "http://localhost"), (1, "https://office.example.org")])
def test_links_for_people(context: Context, people: dict[str, Profile], hops: int, base: str) -> None:
    settings = context.settings.model_copy(update={"trusted_proxies": hops, "allowed_hosts": "Office.example.org"})
    app = create_app(settings, replace(context, settings=settings))
    app.config["WTF_CSRF_ENABLED"] = False
    client = app.test_client()
    sign_in_as(client, people["admin"])
    data = {"email": "eva@example.org", "role": "reviewer"}
    page = client.post("/admin/users", data=data, headers=_FORWARDED).text
    assert re.search(rf'value="{base}/invitation/', page)
