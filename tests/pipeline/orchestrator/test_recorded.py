"""What the log keeps is enough to decide by other rules: the same as reading and validating again by them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.orchestrator.decisions import RecordedReading, decision_trace, recorded_reading, route_by
from pipeline.orchestrator_nodes import judged
from pipeline.orchestrator_routing import Route, route_after_pipeline
from pipeline.orchestrator_state import AgentState, applied
from pipeline.pages.page_model import Source
from pipeline.reason_codes import ReadingWay
from pipeline.schema import Agreement, DocClass, FieldReading, SecondReading, SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy
from tests.support.long import examples
from tests.support.reading.orchestration import entry, read

FIELDS = ("student_name", "school_name", "grade", "teacher_name", "phone")
VALUES = {"student_name": "Marisol Vega", "school_name": "Larkspur Elementary", "grade": "4", "phone": "555-0142"}
#: (the rule on agreement, its confidence).
RULES = ((True, 0.9), (False, 0.9), (True, 0.75))
#: What older rows do not have.
NEWER = ("doc_class", "required", "filled", "disputed", "words")

certainty = st.sampled_from([0.0, 0.45, 0.79, 0.8, 0.9, 0.95, 1.0])
required = st.lists(st.sampled_from([*FIELDS, "essay_text"]), min_size=1, max_size=4, unique=True).map(tuple)
policies = st.builds(
    Policy,
    default_required=required,
    required=st.dictionaries(st.just(DocClass.SINGLE_SCANNED), required, max_size=1),
    min_essay_words=st.sampled_from([0, 1, 50, 120, 121]),
    auto_complete=st.booleans(),
    complete_confidence=certainty,
    retry_confidence=certainty,
    weak_field_confidence=certainty,
    agreed_completes=st.booleans(),
    agreed_confidence=certainty,
    max_tries=st.integers(1, 3),
    max_steps=st.integers(1, 5),
)
way = {"code": ReadingWay.SECOND.value, "params": {}}
readings = st.builds(
    FieldReading,
    value=st.sampled_from([None, "as the field has it"]),
    confidence=certainty,
    source=st.sampled_from([Source.OCR, Source.TEXT_LAYER, Source.MODEL]),
    disagrees_with=st.sampled_from([None, None, None, "something else"]),
    way=st.sampled_from([None, way]),
    unfit=st.booleans(),
    second=st.sampled_from([None, None, *(SecondReading(agreement=one) for one in Agreement)]),
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A record as the extraction leaves it."""
    found = {name: draw(readings) for name in FIELDS if draw(st.booleans()) or draw(st.booleans())}
    values = {name: VALUES.get(name, "Rosa Lind") for name, one in found.items() if one.value is not None}
    words = draw(st.sampled_from([None, 0, 49, 50, 120]))
    if words is not None:
        found[draw(st.sampled_from(["essay_text", "word_count"]))] = draw(readings)
    return {
        "submission_id": "one",
        "doc_class": draw(st.sampled_from([None, DocClass.SINGLE_TYPED, DocClass.SINGLE_SCANNED])),
        "profile": "plain",
        **values,
        "word_count": words,
        "readings": {name: one.model_copy(update={"value": values.get(name)}) for name, one in found.items()},
        "ocr_confidence_avg": draw(st.sampled_from([None, 0.9])),
        "review_reason_codes": draw(st.lists(st.sampled_from(["UNEXPLAINED_WORDS", "TEMPLATE_ONLY"]), max_size=1)),
    }


#: The tools of a run after its first reading, and after a second reader looked.
ONE, BOTH = ["run_pipeline"], ["run_pipeline", "second_reader"]


def after_reading(
    raw: SubmissionRecord | dict[str, Any], policy: Policy, tools: Sequence[str] = ONE
) -> AgentState:
    """The state after the node that reads, or after the second reader's."""
    record, _ = validate_record(raw, policy)
    return applied({}, {**judged(record, policy), "tries": 1, "tools_used": list(tools)})


def logged(
    raw: SubmissionRecord | dict[str, Any], policy: Policy, with_model: bool = False, with_vision: bool = False
) -> dict[str, Any]:
    """The trace as the database gives it back."""
    trace = decision_trace(after_reading(raw, policy), policy, None, with_model, [], with_vision)
    return dict(json.loads(json.dumps(trace)))


def known(
    trace: dict[str, Any], policy: Policy, doc_class: str | None = None, tools: Sequence[str] = ONE
) -> RecordedReading:
    found = recorded_reading(trace, doc_class, policy, tools)
    assert found is not None
    return found


@given(
    raw=records(),
    then=policies,
    other=policies,
    with_model=st.booleans(),
    with_vision=st.booleans(),
    tools=st.sampled_from([ONE, BOTH]),
)
@settings(max_examples=examples(150, 5000), deadline=None)
def test_the_route_by_other_rules_is_that_of_reading_by_them(
    raw: dict[str, Any], then: Policy, other: Policy, with_model: bool, with_vision: bool, tools: list[str]
) -> None:
    told = route_by(known(logged(raw, then, with_model, with_vision), then, tools=tools), other)
    assert told == route_after_pipeline(
        after_reading(raw, other, tools), other, model_configured=with_model, vision_configured=with_vision
    )


@given(raw=records(), then=policies, other=policies)
@settings(max_examples=examples(150, 5000), deadline=None)
def test_an_older_row_tells_the_same_or_nothing(raw: dict[str, Any], then: Policy, other: Policy) -> None:
    trace = logged(raw, then)
    for key in NEWER:
        del trace["values"][key]
    kind = raw["doc_class"]
    told = route_by(known(trace, then, kind and kind.value), other)
    assert told is None or told == route_after_pipeline(after_reading(raw, other), other)


@pytest.mark.parametrize(
    ("changed", "route"),
    [
        ({}, "complete"),
        ({"complete_confidence": 0.99}, "review"),
        ({"weak_field_confidence": 0.99}, "review"),
        ({"auto_complete": False}, "review"),
        ({"min_essay_words": 500}, "review"),
        ({"default_required": ("student_name", "phone")}, "review"),
        ({"max_steps": 1}, "escalate"),
        ({"min_essay_words": 500, "retry_confidence": 1.0}, "retry"),
    ],
)
def test_each_rule_counts(changed: dict[str, Any], route: Route) -> None:
    sure = entry(student_name=read("Marisol Vega", 0.97))
    told = route_by(known(logged(sure, Policy(), with_model=True), Policy()), Policy(**changed))
    assert told == route and route in get_args(Route)


def test_the_rule_on_agreement_counts() -> None:
    agreed = read("Marisol Vega", 0.7).model_copy(update={"second": SecondReading(agreement=Agreement.AGREE)})
    seen = known(logged(entry(student_name=agreed), Policy()), Policy(), tools=BOTH)
    told = [route_by(seen, Policy(agreed_completes=on, agreed_confidence=at)) for on, at in RULES]
    assert told == ["complete", "review", "review"]


def test_a_respelled_value_holds_the_entry_unless_agreement_counts() -> None:
    second = SecondReading(agreement=Agreement.AGREE)
    respelled = read("Marisol Vega").model_copy(
        update={"second": second, "disagrees_with": "Marisol Vera", "way": way}
    )
    record = entry(student_name=respelled)
    for then in (Policy(), Policy(agreed_completes=False)):
        seen = known(logged(record, then), then, tools=BOTH)
        told = [route_by(seen, Policy(agreed_completes=on)) for on in (True, False)]
        assert told == ["complete", "review"]


def test_a_row_without_a_reading() -> None:
    assert recorded_reading({}, None, Policy()) is None
    assert recorded_reading({"values": {"confidence": None, "readings": {}}}, None, Policy()) is None
