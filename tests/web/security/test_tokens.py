"""The page of one's own tokens."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import func, update

from core.models import BrowserSession, Profile
from services.accounts.api_tokens import Scope, find_token, list_tokens, make_token
from services.context import Context


def test_a_token_is_shown_once(signed_in, context: Context, people: dict[str, Profile]) -> None:
    client = signed_in("auditor")
    made = client.post("/tokens", data={"name": "reports <b>", "days": "30", "scope": ["read"]})
    found = re.search(r'value="(sr_[\w-]{43})"', made.text)
    assert found and made.headers["Cache-Control"] == "no-store"
    assert find_token(context, found[1]).owner.id == people["auditor"].id
    again = client.get("/tokens").text
    assert found[1] not in again and "reports &lt;b&gt;" in again


def test_one_is_revoked_and_stays_in_sight(signed_in, context: Context, people: dict[str, Profile]) -> None:
    client = signed_in("uploader")
    client.post("/tokens", data={"name": "scanner", "days": "7", "scope": ["read", "uploads"]})
    (row,) = list_tokens(context, people["uploader"].id)
    page = client.post(f"/tokens/{row.id}/revoke", follow_redirects=True).text
    assert "scanner" in page and "Revoked" in page and "/revoke" not in page


def test_those_of_others_are_neither_seen_nor_revoked(signed_in, context: Context, people) -> None:
    signed_in("uploader").post("/tokens", data={"name": "scanner", "days": "7", "scope": ["read", "uploads"]})
    (row,) = list_tokens(context, people["uploader"].id)
    admin = signed_in("admin")
    assert "scanner" not in admin.get("/tokens").text
    assert admin.post(f"/tokens/{row.id}/revoke").status_code == 404


def test_what_does_not_fit_comes_back(signed_in) -> None:
    for data in (
        {"name": " ", "days": "7", "scope": ["read", "uploads"]},
        {"name": "kept", "days": "9999"},
        {"name": "kept", "days": "x"},
    ):
        refused = signed_in("reviewer").post("/tokens", data=data)
        assert refused.status_code == 400 and 'role="alert"' in refused.text
    assert 'value="kept"' in refused.text


def test_an_admin_sees_and_revokes_those_of_all(signed_in, context: Context, people: dict[str, Profile]) -> None:
    token = make_token(context, people["uploader"].id, "scanner", 7, [Scope.UPLOADS])
    (row,) = list_tokens(context, people["uploader"].id)
    page = signed_in("admin").get("/admin/tokens").text
    assert "scanner" in page and people["uploader"].email in page and "Upload files" in page and token not in page
    assert signed_in("auditor").post(f"/admin/tokens/{row.id}/revoke").status_code == 403
    assert find_token(context, token) is not None
    assert signed_in("admin").post(f"/admin/tokens/{row.id}/revoke").location == "/admin/tokens"
    assert find_token(context, token) is None
    assert signed_in("admin").post(f"/admin/tokens/{people['admin'].id}/revoke").status_code == 404


@pytest.mark.parametrize(
    ("scopes", "days", "asked"),
    [
        (["read", "uploads"], "30", False),
        (["read", "uploads"], "90", True),
        (["write"], "7", True),
        (["read", "exports"], "7", True),
    ],
)
def test_a_strong_one_wants_the_password_again(
    signed_in, context: Context, people: dict[str, Profile], scopes: list[str], days: str, asked: bool
) -> None:
    client = signed_in("admin")
    context.database.execute(update(BrowserSession).values(confirmed_at=func.now() - timedelta(minutes=16)))
    answer = client.post("/tokens", data={"name": "desk", "days": days, "scope": scopes})
    assert (answer.status_code == 401) == asked
    assert ('name="confirm_password"' in answer.text) == asked
    assert len(list_tokens(context, people["admin"].id)) == (not asked)
