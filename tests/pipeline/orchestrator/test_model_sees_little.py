"""What a model server receives when the supervisor runs over an entry."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.file_store import LocalFileStore
from core.llm.providers import open_model
from pipeline.extraction.values.text import squeezed
from pipeline.orchestrator.context import MemoryRecorder, RunContext
from pipeline.orchestrator.run import RunResult, run_in_memory
from pipeline.runner import read_submission
from services.policy import policy_of
from tests.support.reading.entries import COMPLETE, ESSAY, acroform
from tests.support.reading.orchestration import context, first_state, hardly_read
from tests.support.servers.groq_server import GroqServer, answer

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
#: A form whose grade was written into the school's box.
MISPLACED = acroform({**COMPLETE, "Grade": "", "School": "Room 4, 4th grade"})


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer(otherwise=answer({})) as running:
        yield running
        assert running.faults == []


def run(data: bytes, server: GroqServer, folder: Path, **chosen: bool) -> RunResult:
    """The supervisor over one document, with the model of this server."""
    settings = Settings(_env_file=None, groq_api_key=server.key, groq_base_url=server.url, **chosen)
    store = LocalFileStore(folder)
    store.put("originals/entry.pdf", data)
    return run_in_memory(
        first_state(),
        RunContext(
            settings=settings,
            store=store,
            policy=policy_of(settings),
            recorder=MemoryRecorder(),
            read=read_submission,
            model=open_model(settings),
        ),
    )


@pytest.mark.parametrize("name", ["12-essay-as-outlines.pdf", "13-scan-with-a-handwritten-header.pdf"])
def test_a_scan_sends_its_header_in_few_tokens(name: str, server: GroqServer, tmp_path: Path) -> None:
    result = run((SAMPLES / name).read_bytes(), server, tmp_path)
    ((system, user),) = server.tokens_sent
    assert system <= 450 and user <= 200
    sent = squeezed(json.loads(server.bodies[0]["messages"][1]["content"])["text"])
    assert result.record.essay_text
    assert not [line for line in result.record.essay_text.splitlines() if squeezed(line) in sent]


@pytest.mark.parametrize(
    "name", ["02-form-without-grade.pdf", "06-blank-form.pdf", "08-printed-with-an-empty-header.pdf"]
)
def test_where_nothing_is_left_the_model_is_not_asked(name: str, server: GroqServer, tmp_path: Path) -> None:
    run((SAMPLES / name).read_bytes(), server, tmp_path)
    assert server.requests == []


def test_the_essay_goes_along_only_where_the_setting_says_so(server: GroqServer, tmp_path: Path) -> None:
    run(MISPLACED, server, tmp_path / "without")
    run(MISPLACED, server, tmp_path / "with", llm_send_essay=True)
    without, along = (squeezed(body["messages"][1]["content"]) for body in server.bodies)
    assert squeezed(ESSAY[:60]) not in without
    assert squeezed(ESSAY[:60]) in along


def test_the_model_is_asked_once_for_a_field(server: GroqServer, tmp_path: Path) -> None:
    settings = Settings(_env_file=None, groq_api_key=server.key, groq_base_url=server.url)
    given = context(hardly_read(), tmp_path, settings=settings, model=open_model(settings))
    result = run_in_memory(first_state(), given)
    assert result.tools_used[:3] == ["run_pipeline", "retry_with_llm", "review_agent"]
    asked = [set(json.loads(body["messages"][1]["content"])["fields"]) for body in server.bodies]
    assert asked == [{"school_name", "grade"}, {"student_name"}]
