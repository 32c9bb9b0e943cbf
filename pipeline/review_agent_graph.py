"""The review agent: a subgraph that reads missing and weak fields again and makes a suggestion.

Within the orchestrator it uses the same checkpoints: after a crash its finished nodes are not repeated, so a model
that has answered is not asked again. Its state is JSON: ids, keys and short values, none of the texts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol, TypedDict, TypeVar

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from core.errors import ModelError, RecognitionError
from core.messages import Message
from core.plain_data import checked_delta
from core.tracing.log import get_logger
from pipeline.orchestrator.artifacts import load_reading, store_reading, text_key
from pipeline.orchestrator.context import Proposal, RunContext
from pipeline.orchestrator.suggestions import (
    empty_but_labelled,
    propose_field,
    read_by_model,
    target_fields,
    worth_proposing,
)
from pipeline.pages.page_model import Source
from pipeline.profiles import text_fields
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.certainty import field_is_weak, with_probabilities


class ReviewAgentState(TypedDict, total=False):
    """State of one run of the review agent."""

    submission_id: str
    run_id: str
    artifact_dir: str
    #: Key of the document in the file store.
    image_path: str
    ocr_provider_name: str
    #: Without the withheld texts, as in `AgentState`.
    record: dict[str, Any]
    missing_fields: list[str]
    weak_fields: list[str]
    blocking_codes: list[str]
    #: Fields that the model was asked for earlier in the run.
    asked_of_model: list[str]
    #: Why the entry needs a person.
    reason: dict[str, Any]
    pdf_key: str
    text_key: str
    #: Fields to read again.
    targets: list[str]
    #: New readings by field: `FieldReading`s in JSON.
    readings: dict[str, list[dict[str, Any]]]


class ReviewAgentOutput(TypedDict, total=False):
    """Output for the orchestrator."""

    success: bool
    #: Id of the row that holds the values.
    suggestion_id: str
    #: Names of the fields with a value proposed.
    proposed_fields: list[str]


_DECLARED = ReviewAgentState.__annotations__.keys() | ReviewAgentOutput.__annotations__.keys()

Delta = TypeVar("Delta", ReviewAgentState, ReviewAgentOutput, covariant=True)


class ReviewNode(Protocol[Delta]):
    """Takes the state, returns the changed keys."""

    def __call__(self, state: ReviewAgentState, *, runtime: Runtime[RunContext]) -> Delta: ...


ReviewAgent = CompiledStateGraph[ReviewAgentState, RunContext, ReviewAgentState, ReviewAgentOutput]


@lru_cache(maxsize=1)
def create_review_agent_graph() -> ReviewAgent:
    """Compile the subgraph."""
    graph = StateGraph(
        ReviewAgentState, context_schema=RunContext, input_schema=ReviewAgentState, output_schema=ReviewAgentOutput
    )
    graph.add_node("get_pdf", _guarded("get_pdf", get_pdf_node))
    graph.add_node("extract_text", _guarded("extract_text", extract_text_region_node))
    graph.add_node("infer_llm", _guarded("infer_llm", infer_with_llm_node))
    graph.add_node("propose_update", _guarded("propose_update", propose_update_node))
    graph.set_entry_point("get_pdf")
    graph.add_edge("get_pdf", "extract_text")
    graph.add_edge("extract_text", "infer_llm")
    graph.add_edge("infer_llm", "propose_update")
    graph.add_edge("propose_update", END)
    return graph.compile()


def _guarded(node: str, work: ReviewNode[Delta]) -> ReviewNode[Delta]:
    def run(state: ReviewAgentState, *, runtime: Runtime[RunContext]) -> Delta:
        return checked_delta(node, work(state, runtime=runtime), _DECLARED)

    return run


# The nodes of the review agent. Only the last one has an effect.


log = get_logger(__name__)


def get_pdf_node(state: ReviewAgentState, runtime: Runtime[RunContext]) -> ReviewAgentState:
    """Check that the document is in the file store. Raises NotFoundError if it is not."""
    runtime.context.store.size(state["image_path"])
    return {"pdf_key": state["image_path"]}


def extract_text_region_node(state: ReviewAgentState, runtime: Runtime[RunContext]) -> ReviewAgentState:
    """Choose the fields to read again; set the key of the text of the first reading."""
    context = runtime.context
    record = SubmissionRecord.model_validate(state["record"])
    required = context.policy.required_of(record)
    optional = {name for name in record.readings if name not in required}
    weak = {name for name in optional if field_is_weak(record.readings[name], context.policy)}
    targets = target_fields(
        record,
        required,
        state["missing_fields"],
        weak.union(state["weak_fields"]),
        state["blocking_codes"],
        context.policy.complete_confidence,
    )
    return {"targets": targets, "text_key": text_key(state["artifact_dir"])}


def infer_with_llm_node(state: ReviewAgentState, runtime: Runtime[RunContext]) -> ReviewAgentState:
    """Ask the model, if there is one; read the fields that it leaves open from the page again."""
    context = runtime.context
    record = SubmissionRecord.model_validate(state["record"])
    asked = [name for name in state["targets"] if name not in text_fields()]
    # The model may know values that nobody requires; the page is not read again for them.
    open_fields = [name for name in empty_but_labelled(record) if name not in state["targets"]]
    found = _with_places(state, context, record, _from_model(state, context, record, asked + open_fields))
    if left := [name for name in asked if name not in found]:
        found.update(_from_the_page(state, context, record, left))
    return {"readings": {name: [r.model_dump(mode="json") for r in readings] for name, readings in found.items()}}


def propose_update_node(state: ReviewAgentState, runtime: Runtime[RunContext]) -> ReviewAgentOutput:
    """Write the proposal, once per run, if it helps a person."""
    context = runtime.context
    # The record as read, with the texts that are not in the state: they can be confirmed too.
    record, report = load_reading(context.store, state["artifact_dir"])
    looks = {
        name: [FieldReading.model_validate(reading) for reading in readings]
        for name, readings in state["readings"].items()
    }
    # The looks change the probabilities of the values as read, not the values.
    record = with_probabilities(record, looks)
    store_reading(context.store, record, report)
    fields = []
    for name in dict.fromkeys([*state["targets"], *looks]):
        readings = looks.get(name, [])
        if field := propose_field(record, name, readings, is_missing=name in state["missing_fields"]):
            fields.append(field)
    required = context.policy.required_of(record)
    if not worth_proposing(fields, required, state["missing_fields"]):
        return {"success": False, "proposed_fields": []}
    proposed = [field.name for field in fields if field.proposed_value is not None]
    suggestion_id = context.recorder.propose(Proposal(Message.from_json(state["reason"]), tuple(fields)))
    return {"success": True, "suggestion_id": suggestion_id, "proposed_fields": proposed}


def _from_model(
    state: ReviewAgentState, context: RunContext, record: SubmissionRecord, fields: list[str]
) -> dict[str, list[FieldReading]]:
    """Return the model's readings; fields that it was asked for earlier in the run are not asked again."""
    known = {
        name: [reading]
        for name in fields
        if (reading := record.readings.get(name)) is not None and reading.source is Source.MODEL
    }
    ask = [name for name in fields if name not in known and name not in state.get("asked_of_model", [])]
    try:
        said = read_by_model(context, state["artifact_dir"], record, ask)
    except ModelError as exc:
        # When the model fails, the page can still be read again.
        log.warning("model_failed", run_id=state["run_id"], code=exc.code)
        return known
    return known | {name: [reading] for name, reading in said.items()}


def _with_places(
    state: ReviewAgentState, context: RunContext, record: SubmissionRecord, found: dict[str, list[FieldReading]]
) -> dict[str, list[FieldReading]]:
    """Add evidence to the model's readings, which have none: a person approves a value next to its place."""
    lost = {name: readings[0].value for name, readings in found.items() if not readings[0].evidence}
    values = {name: value for name, value in lost.items() if value}
    if not values:
        return found
    places = context.locate(
        values,
        state["pdf_key"],
        state["ocr_provider_name"],
        record,
        settings=context.settings,
        store=context.store,
    )
    placed = {name: [found[name][0].model_copy(update={"evidence": place})] for name, place in places.items()}
    return found | placed


def _from_the_page(
    state: ReviewAgentState, context: RunContext, record: SubmissionRecord, fields: list[str]
) -> dict[str, list[FieldReading]]:
    try:
        return context.read_again(
            fields,
            state["pdf_key"],
            state["ocr_provider_name"],
            record,
            settings=context.settings,
            store=context.store,
            schools=context.policy.schools,
        )
    except RecognitionError as exc:
        # The second reading is optional: without it the first reading can still be confirmed.
        log.warning("second_reading_failed", run_id=state["run_id"], code=exc.code)
        return {}
