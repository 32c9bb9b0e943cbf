"""What leaves the house: nothing, the structure of a run, or all of it, as the settings say."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, SecretStr

from core.config import Settings
from core.llm.ledger import Model
from core.llm.providers import open_model
from core.tracing.traces import flush_traces, forbid_ambient_tracing, trace_callbacks, without_content
from tests.support.servers.groq_server import GroqServer, answer
from tests.support.servers.langsmith_server import LangSmithServer

#: One for each place that could let content out.
CANARIES = {place: f"canary-{place}-quetzal" for place in ("state", "prompt", "reply", "error", "metadata", "tag")}


class Reply(BaseModel):
    text: str


class State(TypedDict, total=False):
    said: str


@pytest.fixture(params=["zstd", "multipart", "batch"])
def langsmith(request: pytest.FixtureRequest) -> Iterator[LangSmithServer]:
    with LangSmithServer(compressed=request.param == "zstd", multipart=request.param != "batch") as server:
        yield server
        assert server.faults == []


@pytest.fixture
def groq() -> Iterator[GroqServer]:
    with GroqServer(otherwise=answer({"text": CANARIES["reply"]}, tokens=(31, 7))) as server:
        yield server


def settings_for(groq: GroqServer, langsmith: LangSmithServer, **more: object) -> Settings:
    return Settings(
        _env_file=None,
        groq_api_key=groq.key,
        groq_base_url=groq.url,
        langsmith_tracing=True,
        langsmith_api_key=langsmith.key,
        langsmith_endpoint=langsmith.url,
        **more,
    )


def graph_of(model: Model) -> CompiledStateGraph:
    """A node that asks, and then a node that fails and quotes."""

    def ask(state: State) -> State:
        chain = RunnableLambda(lambda said: model.ask("?", f"{said} {CANARIES['prompt']}", Reply, purpose="say"))
        return {"said": chain.invoke(state["said"])[0].text}

    def fail(state: State) -> State:
        raise ValueError(f"cannot use {CANARIES['error']}")

    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_node("fail", fail)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "fail")
    return graph.compile()


def run_graph(settings: Settings) -> str:
    """Run it, send the traces, and return the run's id."""
    model = open_model(settings)
    assert model
    run_id = uuid4()
    config = {
        "callbacks": trace_callbacks(settings),
        "run_id": run_id,
        "metadata": {"note": CANARIES["metadata"], "thread_id": CANARIES["metadata"] + " is no id", "run_no": 3},
        "tags": [CANARIES["tag"]],
    }
    with pytest.raises(ValueError, match="cannot use"):
        graph_of(model).invoke({"said": CANARIES["state"]}, config)
    flush_traces(settings)
    return str(run_id)


def test_masked_trace_holds_no_content(groq: GroqServer, langsmith: LangSmithServer) -> None:
    run_id = run_graph(settings_for(groq, langsmith))
    assert "quetzal" not in langsmith.text
    assert groq.key not in langsmith.text
    assert langsmith.runs[run_id]["error"] == "ValueError"


def test_masked_trace_keeps_structure_and_counts(groq: GroqServer, langsmith: LangSmithServer) -> None:
    run_id = run_graph(settings_for(groq, langsmith))
    runs = langsmith.runs.values()
    assert {"LangGraph", "ask", "fail", "ChatGroq"} <= {run["name"] for run in runs}
    assert {run["trace_id"] for run in runs} == {run_id}
    [chat] = [run for run in runs if run["name"] == "ChatGroq"]
    assert chat["extra"]["metadata"]["usage_metadata"]["input_tokens"] == 31
    assert chat["extra"]["metadata"]["llm_purpose"] == "say"
    assert langsmith.runs[run_id]["extra"]["metadata"]["run_no"] == 3
    assert all("end_time" in run for run in runs)


def test_content_is_sent_when_asked_for(groq: GroqServer, langsmith: LangSmithServer) -> None:
    run_graph(settings_for(groq, langsmith, langsmith_send_content=True))
    missing = [place for place, canary in CANARIES.items() if canary not in langsmith.text]
    assert missing == []
    assert groq.key not in langsmith.text


def test_tracing_off_gives_no_callback() -> None:
    assert trace_callbacks(Settings(_env_file=None)) == []


@pytest.mark.parametrize(
    ("error", "left"),
    [
        ("ModelReplyError('canary')Traceback: canary", "ModelReplyError"),
        ("KeyError('canary')", "KeyError"),
        ("canary without a class", "Error"),
    ],
)
def test_errors_keep_their_class_alone(error: str, left: str) -> None:
    assert without_content({"error": error})["error"] == left


#: A graph in a process whose environment asks for traces in every way that LangChain knows.
PROCESS = """
from typing import TypedDict
from langgraph.graph import START, StateGraph
from core.config import Settings
from core.tracing.traces import flush_traces, trace_callbacks

class State(TypedDict):
    said: str

settings = Settings(_env_file=None)
config = {"callbacks": trace_callbacks(settings)} if GUARDED else {}
graph = StateGraph(State)
graph.add_node("node", lambda state: {"said": state["said"]})
graph.add_edge(START, "node")
graph.compile().invoke({"said": "canary-state-quetzal"}, config)
flush_traces(settings)
from langchain_core.tracers.langchain import wait_for_all_tracers
wait_for_all_tracers()
"""
GUARDED, UNGUARDED = f"GUARDED = True\n{PROCESS}", f"GUARDED = False\n{PROCESS}"
ROOT = Path(__file__).resolve().parents[2]


def run_process(program: str, **environment: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LANGSMITH", "LANGCHAIN"))}
    subprocess.run(
        [sys.executable, "-c", program],
        env=kept | environment,
        cwd=ROOT,
        check=True,
        timeout=60,
        capture_output=True,
    )


def ambient(server: LangSmithServer) -> dict[str, str]:
    return {"LANGCHAIN_TRACING_V2": "true", "LANGSMITH_TRACING_V2": "true", **target(server)}


def target(server: LangSmithServer) -> dict[str, str]:
    return {"LANGCHAIN_API_KEY": server.key, "LANGCHAIN_ENDPOINT": server.url}


@pytest.fixture
def other() -> Iterator[LangSmithServer]:
    with LangSmithServer() as server:
        yield server


def test_environment_would_start_a_trace_of_its_own(other: LangSmithServer) -> None:
    """The control: without our guard the canary leaves. Should this fail, the next test proves nothing."""
    run_process(UNGUARDED, **ambient(other))
    assert "canary-state-quetzal" in other.text


def test_off_is_off_whatever_the_environment_says(other: LangSmithServer) -> None:
    run_process(GUARDED, **ambient(other), LANGSMITH_TRACING="false")
    assert other.requests == []


def test_the_old_names_switch_our_own_masked_tracing_on(other: LangSmithServer) -> None:
    run_process(GUARDED, **ambient(other), LANGCHAIN_PROJECT="IFI-Orchestrator")
    runs = other.runs.values()
    assert [run["name"] for run in runs].count("node") == 1
    assert {run["session_name"] for run in runs} == {"IFI-Orchestrator"}
    assert "quetzal" not in other.text


def test_a_graph_without_our_callbacks_is_not_traced_by_the_old_names(other: LangSmithServer) -> None:
    guarded = f"from core.tracing.traces import forbid_ambient_tracing\nforbid_ambient_tracing()\n{UNGUARDED}"
    run_process(guarded, **ambient(other))
    assert other.ingested == []


@pytest.mark.parametrize(
    ("old", "ours", "setting"),
    [
        ("LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "langsmith_tracing"),
        ("LANGCHAIN_API_KEY", "LANGSMITH_API_KEY", "langsmith_api_key"),
        ("LANGCHAIN_ENDPOINT", "LANGSMITH_ENDPOINT", "langsmith_endpoint"),
        ("LANGCHAIN_PROJECT", "LANGSMITH_PROJECT", "langsmith_project"),
    ],
)
def test_either_name_is_read_and_ours_wins(
    old: str, ours: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {old: "true", ours: "false"}
    # Tracing without a key is refused.
    monkeypatch.setenv("LANGSMITH_API_KEY", "k")
    monkeypatch.delenv(ours, raising=False)
    monkeypatch.setenv(old, values[old])
    assert _text(getattr(Settings(_env_file=None), setting)) == values[old]
    monkeypatch.setenv(ours, values[ours])
    assert _text(getattr(Settings(_env_file=None), setting)) == values[ours]


def _text(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value).lower()


def test_the_old_names_reach_child_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is started with this environment: what is a setting must still be in it."""
    for name in ("LANGCHAIN_TRACING_V2", "LANGCHAIN_API_KEY", "LANGCHAIN_HANDLER"):
        monkeypatch.setenv(name, "true")
    forbid_ambient_tracing()
    assert [name for name in os.environ if name.startswith("LANGCHAIN_")] == [
        "LANGCHAIN_TRACING_V2",
        "LANGCHAIN_API_KEY",
    ]


@pytest.mark.parametrize("switch", ["LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"])
def test_old_switches_neither_trace_nor_break_runs(other: LangSmithServer, switch: str) -> None:
    run_process(GUARDED, **{switch: "true"}, **target(other))
    assert other.requests == []


def test_masked_stays_masked_and_at_home_whatever_the_environment_says(other: LangSmithServer) -> None:
    with LangSmithServer() as ours:
        run_process(
            GUARDED,
            **ambient(other),
            LANGSMITH_TRACING="true",
            LANGSMITH_API_KEY=ours.key,
            LANGSMITH_ENDPOINT=ours.url,
            LANGSMITH_HIDE_INPUTS="false",
            LANGSMITH_HIDE_METADATA="false",
            LANGSMITH_TRACING_SAMPLING_RATE="0",
            LANGSMITH_RUNS_ENDPOINTS=f'[{{"api_url": "{other.url}", "api_key": "{other.key}"}}]',
        )
        assert "node" in {run["name"] for run in ours.runs.values()}
        assert "quetzal" not in ours.text
    assert other.requests == []


FORKING = """
import os
from langchain_core.runnables import RunnableLambda
from core.config import Settings
from core.tracing.traces import flush_traces, trace_callbacks

settings = Settings(_env_file=None)

def traced(name):
    RunnableLambda(lambda said: said, name=name).invoke("quetzal", {"callbacks": trace_callbacks(settings)})
    flush_traces(settings)

traced("parent")
child = os.fork()
if not child:
    traced("child")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def test_traces_of_a_forked_work_horse_arrive(other: LangSmithServer) -> None:
    ours = {"LANGSMITH_API_KEY": other.key, "LANGSMITH_ENDPOINT": other.url, "LANGSMITH_TRACING": "true"}
    run_process(FORKING, **ours)
    assert {run["name"] for run in other.runs.values()} == {"parent", "child"}
