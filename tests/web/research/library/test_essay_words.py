"""The page with words of essays that could be names is for those who see entries."""

from __future__ import annotations

import pytest

from services.context import Context
from services.library.essays.add_essays import add_essays
from tests.services.library.test_add_essays import approved, essays
from tests.services.library.test_essay_words import ESSAY

PAGE = "/research/library/essays/words"


@pytest.mark.parametrize("role", ["officer", "auditor", "uploader"])
def test_others_do_not_see_the_words(signed_in, role: str) -> None:
    assert signed_in(role).get(PAGE).status_code == 403


def test_a_reviewer_decides_word_after_word(signed_in, context: Context) -> None:
    entry = approved(context, essay_text=ESSAY)
    add_essays(context)
    client = signed_in("reviewer")
    assert PAGE in client.get("/research/library").text
    assert "<mark>rose</mark>" in client.get(PAGE).text
    address = f"/research/library/essays/{entry}/words"
    assert client.post(address, data={"word": "rose", "decide": "perhaps"}).status_code == 400
    answer = client.post(address, data={"word": "rose", "decide": "take"}, follow_redirects=True)
    assert "No words are waiting." in answer.text
    again = client.post(address, data={"word": "rose", "decide": "keep"}, follow_redirects=True)
    assert "Someone has already decided on that word." in again.text
    undone = client.post(f"{address}/undo", data={"word": "rose"}, follow_redirects=True)
    assert "<mark>rose</mark>" in undone.text
    again = client.post(f"{address}/undo", data={"word": "rose"}, follow_redirects=True)
    assert "Only your last decision can be undone." in again.text
    assert (
        "You removed “rose”."
        in client.post(address, data={"word": "rose", "decide": "take"}, follow_redirects=True).text
    )
    add_essays(context)
    assert len(essays(context)) == 1 and PAGE not in client.get("/research/library").text


def test_an_officer_is_told_that_essays_wait(signed_in, context: Context) -> None:
    approved(context, essay_text=ESSAY)
    answer = signed_in("officer").post("/research/library/essays", follow_redirects=True)
    assert "1 essay is waiting" in answer.text and "rose" not in answer.text
