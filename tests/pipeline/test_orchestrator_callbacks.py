"""However deep graphs and chains are nested around it, a model call is written once."""

from collections.abc import Iterator
from operator import add
from typing import Annotated, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel

from core.config import Settings
from core.errors import ModelError
from core.llm.ledger import MemoryLedger, Model
from core.llm.providers import open_model
from pipeline.orchestrator_callbacks import OrchestratorLoggingHandler
from tests.support.servers.groq_server import GroqServer, answer, refusal


class Word(BaseModel):
    word: str


class State(TypedDict, total=False):
    words: Annotated[list[str], add]


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer(otherwise=answer({"word": "sí"}, tokens=(10, 2))) as running:
        yield running


@pytest.fixture
def model(server: GroqServer) -> Model:
    settings = Settings(_env_file=None, groq_api_key=server.key, groq_base_url=server.url, llm_max_attempts=1)
    opened = open_model(settings)
    assert opened
    return opened


def asking(model: Model, name: str) -> CompiledStateGraph:
    """A graph of one node that asks the model from within a chain."""

    def node(state: State) -> State:
        chain = RunnableLambda(lambda _: model.ask("Say a word.", "?", Word, purpose=name)[0].word) | str
        return {"words": [chain.invoke(None)]}

    graph = StateGraph(State)
    graph.add_node(name, node)
    graph.add_edge(START, name)
    graph.add_edge(name, END)
    return graph.compile()


def around(inner: CompiledStateGraph, model: Model) -> CompiledStateGraph:
    """A graph whose first node runs `inner` and whose second asks by itself."""

    def second(state: State) -> State:
        return {"words": [model.ask("Say a word.", "?", Word, purpose="second")[0].word]}

    graph = StateGraph(State)
    graph.add_node("first", lambda state: {"words": inner.invoke({})["words"]})
    graph.add_node("second", second)
    graph.add_edge(START, "first")
    graph.add_edge("first", "second")
    graph.add_edge("second", END)
    return graph.compile()


def test_nested_calls_are_each_written_once(model: Model, server: GroqServer) -> None:
    ledger = MemoryLedger()
    outer = around(asking(model, "infer"), model)
    chain = RunnableLambda(lambda _: outer.invoke({})) | RunnableLambda(lambda state: state["words"])
    assert chain.invoke(None, {"callbacks": [OrchestratorLoggingHandler(ledger)]}) == ["sí", "sí"]
    assert len(server.requests) == 2
    assert [(call.purpose, call.node, call.tokens_in) for call in ledger.calls] == [
        ("infer", "infer", 10),
        ("second", "second", 10),
    ]


def test_handler_given_twice_writes_once(model: Model) -> None:
    ledger = MemoryLedger()
    handler = OrchestratorLoggingHandler(ledger)
    asking(model, "infer").invoke({}, {"callbacks": [handler, handler]})
    assert len(ledger.calls) == 1


def test_failed_call_in_a_graph_is_written_once(model: Model, server: GroqServer) -> None:
    server.otherwise = refusal(503, "boom")
    ledger = MemoryLedger()
    with pytest.raises(ModelError):
        asking(model, "infer").invoke({}, {"callbacks": [OrchestratorLoggingHandler(ledger)]})
    assert [(call.status, call.error_code, call.node) for call in ledger.calls] == [("error", "http_503", "infer")]


def test_graph_without_a_model_writes_nothing() -> None:
    graph = StateGraph(State)
    graph.add_node("rules", lambda state: {"words": ["no"]})
    graph.add_edge(START, "rules")
    ledger = MemoryLedger()
    graph.compile().invoke({}, {"callbacks": [OrchestratorLoggingHandler(ledger)]})
    assert ledger.calls == []
