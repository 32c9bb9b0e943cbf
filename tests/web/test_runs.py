"""The page of a run: its way over the graph, the numbers against the thresholds, and links around it."""

from __future__ import annotations

import re

from services.context import Context
from services.replays.run_detail import run_detail
from tests.pipeline.orchestrator.test_second_reader import SAME, handwritten
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import ENTRIES, ESSAY, VALUES, FakeModel, FakeSecondReader, entry, read
from tests.support.review import desk
from web.admin.runs import _LINES, run_graph


def test_the_page_of_a_run(context: Context, signed_in) -> None:
    with context.database.session() as session:
        run = make_past_run(context, session, ENTRIES["hardly_read"](), model=FakeModel({}))
    page = signed_in("auditor").get(f"/admin/runs/{run.run_id}").text
    assert "Asked the language model for what was missing" in page
    assert re.search(r"Confidence\s+0\.\d+ ≥ 0\.9\s+<span class=\"fails\"", page)
    assert f'href="/submissions/{run.submission_id}"' in page
    assert page.count('<path class="taken"') == len(run_detail(context, run.run_id).routes)
    assert not any(value in page for value in (VALUES["student_name"], ESSAY[:30]))


def test_the_page_of_a_run_with_a_second_reader(context: Context, signed_in) -> None:
    look = {"vision": FakeModel({}), "ask_second_reader": FakeSecondReader(SAME)}
    with context.database.session() as session:
        run = make_past_run(context, session, handwritten(), **look)
    client, address = signed_in("auditor"), f"/admin/runs/{run.run_id}"
    page = " ".join(re.sub(r"<[^>]*>", " ", client.get(address).text).split())
    assert "2. Had a second reader look at the page" in page
    assert "A second reader can look at the page: ask it A second reader is set up yes true" in page
    assert re.search("Open on recognized pages [^:]+ true", page)
    assert "A second reader looks at the page" in page and "2 · Ask a second reader" in page
    assert run_detail(context, run.run_id).routes == [("run_pipeline", "look"), ("second_reader", "complete")]
    off = client.post(f"{address}/replay", data={"agreed_completes": "false"}).text
    assert "The result would have been different." in off and "Two readers that agree may complete an entry" in off


def test_a_replay_shows_what_differs(context: Context, signed_in) -> None:
    with context.database.session() as session:
        run = make_past_run(context, session, entry(student_name=read("Marisol Vega", 0.95)))
    client, address = signed_in("auditor"), f"/admin/runs/{run.run_id}/replay"
    same = client.post(address, data={"complete_confidence": "", "from": ""}).text
    assert "The result would have been the same." in same and 'class="differs"' not in same
    other = client.post(address, data={"complete_confidence": "0.99"}).text
    assert "The result would have been different." in other and other.count('class="differs"') >= 3
    assert "Replayed from the stored reading of the run." in other and 'value="0.99"' in other
    refused = client.post(address, data={"complete_confidence": "9"})
    assert refused.status_code == 400 and "This value is not allowed" in refused.text
    assert client.post("/admin/runs/nothing/replay").status_code == 404


def test_it_is_linked_from_the_entry_for_those_who_oversee(context: Context, signed_in) -> None:
    with context.database.session() as session:
        waiting = desk.make_proposal(context, session)
    link = f'href="/admin/runs/{waiting.submission.id}:1"'
    address = f"/submissions/{waiting.submission.id}"
    assert signed_in("auditor").get(address).text.count(link) >= 2
    assert link not in signed_in("reviewer").get(address).text


def test_a_run_that_does_not_exist(signed_in) -> None:
    assert signed_in("admin").get("/admin/runs/nothing").status_code == 404


def test_every_edge_of_the_graph_has_a_line() -> None:
    from pipeline.orchestrator_graph import create_orchestrator_graph

    drawn = {(node, end) for (node, _), (end, _) in _LINES.items() if end != "suggested"}
    real = {
        (edge.source, edge.target)
        for edge in create_orchestrator_graph().get_graph().edges
        if not edge.source.startswith("__") and not edge.target.startswith("__")
    }
    assert drawn == real
    assert len(run_graph([]).lines) == len(_LINES) and not any(node.is_reached for node in run_graph([]).nodes)
