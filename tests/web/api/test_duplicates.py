"""A decision on a pair is taken back by the API and on the page: that which was seen, no later one."""

from __future__ import annotations

import re

from core.models import DuplicatePair, PairDecision
from services.context import Context
from services.review.pair_decisions import decide_pair
from services.review.undo import undo_pair
from tests.support.review.desk import make_twice
from tests.support.site import person


def decision_of(context: Context, pair: DuplicatePair) -> str | None:
    return context.database.get_one(DuplicatePair, pair.id).decision


def test_by_the_version_of_the_decision(api, context: Context) -> None:
    with context.database.session() as session:
        pair = make_twice(context, session)[2]
    desk, path = api("reviewer"), f"/duplicates/{pair.id}"
    decided = {"decision": "keep_both", "version": pair.version}
    assert desk.post(f"{path}/decision", json=decided).status_code == 204
    assert desk.post(f"{path}/undo?version={pair.version}").status_code == 409
    assert desk.post(f"{path}/undo?version={pair.version + 1}").status_code == 204
    assert decision_of(context, pair) is None
    assert desk.post(f"{path}/decision", json={**decided, "version": pair.version + 2}).status_code == 204
    assert desk.post(f"{path}/undo").status_code == 204 and decision_of(context, pair) is None


def test_the_page_names_the_decision_that_it_shows(signed_in, context: Context) -> None:
    with context.database.session() as session:
        pair = make_twice(context, session)[2]
    client, page = signed_in("reviewer"), f"/submissions/duplicates/{pair.id}"
    notice = client.get(client.post(page, data={"version": pair.version, "decision": "keep_both"}).location).text
    undo = re.findall(r'action="([^"]+/undo[^"]*)"', notice)[0]
    assert undo in client.get(page).text
    ben = person(context, "reviewer", display_name="Ben Okoro").id
    undo_pair(context, ben, pair.id)
    decide_pair(context, ben, pair.id, pair.version + 2, PairDecision.KEEP_FIRST)
    assert "settled by Ben Okoro" in client.get(client.post(undo).location).text
    assert decision_of(context, pair) == "keep_first"
    undo = re.findall(r'action="([^"]+/undo[^"]*)"', client.get(page).text)[0]
    client.post(undo)
    assert decision_of(context, pair) is None
