"""A drawn form goes from its upload over a vision model's wire format to a record that nobody has to look at."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from core.models import Audit, ModelCallRow, ReviewSuggestionField, Run, Submission, SubmissionField
from services.context import Context
from services.entries.detail import read_fields
from services.policy import change_policy
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.runs.run import run_context, run_submission
from services.seasons import current_season
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.office import make_person, uploads_of
from tests.support.reading.drawn import drawn
from tests.support.reading.paper import FORM_2026, HEADER, essay
from tests.support.servers.groq_server import GroqServer, answer, refusal

SAID = {
    "student_name": "Marisol Vega",
    "father_figure_name": "Ernesto Vega",
    "email": "e.vega@example.org",
    "phone": "312-555-0134",
    "grade": "4th",
    "school_name": "Juniper School",
    "writing_about": "Father",
}


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer() as started:
        yield started


def looked_at(context: Context, server: GroqServer, *replies: Any) -> tuple[Context, uuid.UUID]:
    """Upload a scan, read it with a second reader that replies so, and return the id of its entry."""
    server.script = list(replies)
    vision = {
        "vision_model": "sees-words",
        "vision_base_url": server.openai_url,
        "vision_api_key": SecretStr(server.key),
        "vision_price_in": 1.0,
        "llm_max_attempts": 1,
    }
    seeing = replace(context, settings=context.settings.model_copy(update=vision))
    pdf = drawn([*FORM_2026, *HEADER, *essay(lines=12)], ticked=0)
    batch = submit_files(seeing, make_person(seeing), [IncomingFile("entry.pdf", pdf)])
    (upload,) = uploads_of(seeing, batch)
    (run_id,) = analyse_upload(seeing, upload.id)
    run_submission(seeing, run_id)
    return seeing, uuid.UUID(run_id.partition(":")[0])


def test_what_both_readers_have_is_completed_and_shows_both(context: Context, server: GroqServer) -> None:
    seeing, entry = looked_at(context, server, answer(SAID, tokens=(900, 60)))
    with seeing.database.session() as session:
        assert session.get_one(Submission, entry).status == "completed"
        views = {view.name: view for view in read_fields(session, entry).views}
        call = session.scalars(select(ModelCallRow)).one()
    assert views["student_name"].second_value == "Marisol Vega"
    assert views["student_name"].second is not None
    assert views["student_name"].second.code == "second_reader_agrees"
    assert (call.purpose, call.model, call.tokens_in) == ("second_reader", "sees-words", 900)
    [body] = server.bodies
    question = json.dumps(body["messages"][0]) + body["messages"][1]["content"][0]["text"]
    assert "Marisol" not in question and "Juniper" not in question


@pytest.mark.parametrize("rule", [{"agreed_completes": False}, {"auto_complete": False}])
def test_a_rule_that_is_switched_off_while_the_model_answers_holds(
    context: Context, server: GroqServer, rule: dict[str, bool]
) -> None:
    def switched_off(body: dict[str, Any]) -> Any:
        with context.database.session() as session:
            season_id = current_season(session).id
        change_policy(context, None, season_id, rule)
        return answer(SAID)(body)  # type: ignore[operator]

    seeing, entry = looked_at(context, server, switched_off)
    with seeing.database.session() as session:
        submission = session.get_one(Submission, entry)
        run = session.get_one(Run, f"{entry}:1")
        assert (submission.status, submission.needs_review) == ("escalated", True)
        assert not session.scalars(select(Audit)).all()
        if "agreed_completes" in rule:
            assert (run.ready, run.confidence_otherwise) == (False, pytest.approx(0.94, abs=0.05))


def test_a_value_in_letters_of_another_typeface_waits_like_any_other(context: Context, server: GroqServer) -> None:
    seeing, entry = looked_at(context, server, answer({**SAID, "student_name": "\U0001d40carisol Vera"}))
    assert seeing.database.get_one(Submission, entry).status == "suggested"


def test_a_child_of_a_replaced_entry_of_the_file_is_no_other_child(context: Context) -> None:
    """A corrected split gives the child another entry; the replaced one still has the name."""
    with context.database.session() as session:
        upload = factories.make_upload(session)
        own, _, _ = (
            factories.make_submission(session, upload, chunk_index=number, student_name=name, status=status)
            for number, (name, status) in enumerate(
                [("Ana Ruis", "processing"), ("Ana Ruiz", "superseded"), ("Bo Li", "completed")]
            )
        )
        run_id = factories.make_run(session, own, status="queued").run_id
    lease = take_lease(context, RUNS, run_id)
    assert lease is not None and run_context(context, lease).others == ["Bo Li"]


def test_the_other_reading_waits_for_a_person(context: Context, server: GroqServer) -> None:
    seeing, entry = looked_at(context, server, answer({**SAID, "student_name": "Marisol Vera"}))
    with seeing.database.session() as session:
        assert session.get_one(Submission, entry).status == "suggested"
        field = session.scalars(select(ReviewSuggestionField).filter_by(name="student_name")).one()
        kept = session.scalars(select(SubmissionField).filter_by(name="student_name")).one()
    assert (field.current_value, field.proposed_value) == ("Marisol Vega", "Marisol Vera")
    assert (kept.value, kept.second_value, kept.second_agreement) == ("Marisol Vega", "Marisol Vera", "differ")


def test_a_provider_that_refuses_leaves_the_entry_to_a_person(context: Context, server: GroqServer) -> None:
    seeing, entry = looked_at(context, server, refusal(400, "no pictures here"))
    with seeing.database.session() as session:
        assert session.get_one(Submission, entry).status == "suggested"
        assert not any(session.scalars(select(SubmissionField.second_agreement)))
