"""One policy from the settings and the season, and one decision by it in both modes."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.config import Settings
from core.errors import ConfigurationError
from pipeline.orchestrator.context import RunResult
from pipeline.orchestrator.run import run_in_memory
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.policy import Policy
from services.policy import FROM_SETTINGS, policy_of
from services.runs.run import run_directly
from tests.support.reading.orchestration import FakeModel, context, entry, first_state, read

#: (what is set, by the settings, by the season, readings that differ from a sure and complete entry, completes)
Case = tuple[str, dict[str, Any], dict[str, Any], dict[str, FieldReading], bool]
NAME_95 = {"student_name": read("Marisol Vega", 0.95)}
NAME_60 = {"student_name": read("Marisol Vega", 0.6)}
LENIENT = {"weak_field_confidence": 0.5, "complete_confidence": 0.7}
CASES: list[Case] = [
    ("nothing", {}, {}, {}, True),
    ("nothing, less than certain", {}, {}, NAME_95, True),
    ("nothing, weak", {}, {}, NAME_60, False),
    ("complete confidence", {"complete_confidence": 0.98}, {}, NAME_95, False),
    ("complete confidence reached", {"complete_confidence": 0.97}, {}, NAME_95, True),
    ("weak field confidence", {"weak_field_confidence": 0.96}, {}, NAME_95, False),
    ("lower bounds", LENIENT, {}, NAME_60, True),
    ("auto complete", {"auto_complete": False}, {}, {}, False),
    ("min essay words", {"min_essay_words": 500}, {}, {}, False),
    ("max steps", {"max_steps": 1}, {}, {}, False),
    ("retry confidence", {"retry_confidence": 1.0}, {}, {"grade": read(None)}, False),
    ("max tries", {"retry_confidence": 1.0, "max_tries": 4}, {}, {"grade": read(None)}, False),
    ("season: complete confidence", {}, {"complete_confidence": 0.98}, NAME_95, False),
    ("season: less than the settings", {"complete_confidence": 0.98}, {"complete_confidence": 0.9}, NAME_95, True),
    ("season: weak field confidence", {}, {"weak_field_confidence": 0.96}, NAME_95, False),
    ("season: auto complete off", {}, {"auto_complete": False}, {}, False),
    ("season: auto complete on", {"auto_complete": False}, {"auto_complete": True}, {}, True),
    ("season: min essay words", {"min_essay_words": 500}, {"min_essay_words": 10}, {}, True),
    ("season: max steps", {"max_steps": 1}, {"max_steps": 5}, {}, True),
    ("season: more required", {}, {"default_required": ["student_name", "phone"]}, {}, False),
    ("season: less required", {}, {"default_required": ["student_name"]}, {"grade": read(None)}, True),
    ("season: by class", {}, {"required": {"SINGLE_TYPED": ["email"]}}, {}, False),
]


def by_both(policy: Policy, record: SubmissionRecord, folder: Path) -> tuple[RunResult, RunResult]:
    """The run by the supervisor, with a model that finds nothing, and the reading without it."""
    shared = context(record, folder, policy=policy, model=FakeModel({}))
    state = {**first_state(), "max_steps": policy.max_steps}
    return run_in_memory(state, shared), run_directly(state, shared)  # type: ignore[arg-type]


def assert_alike(graph: RunResult, direct: RunResult) -> None:
    """The same, but that the supervisor may have proposed something where the other escalates."""
    assert direct.record.needs_review == graph.record.needs_review
    assert direct.outcome == ("escalated" if graph.outcome == "suggested" else graph.outcome)
    assert (direct.missing_fields, direct.weak_fields) == (graph.missing_fields, graph.weak_fields)
    assert direct.confidence == graph.confidence


@pytest.mark.parametrize(("_", "by_settings", "season", "fields", "completes"), CASES, ids=[c[0] for c in CASES])
def test_both_modes_decide_alike(
    _: str,
    by_settings: dict[str, Any],
    season: dict[str, Any],
    fields: dict[str, FieldReading],
    completes: bool,
    tmp_path: Path,
) -> None:
    policy = policy_of(Settings(_env_file=None, **by_settings), season)
    graph, direct = by_both(policy, entry(policy, **fields), tmp_path)
    assert_alike(graph, direct)
    assert (graph.outcome == "completed") == completes
    assert graph.record.needs_review != completes


certainty = st.sampled_from([0.0, 0.45, 0.5, 0.79, 0.8, 0.9, 0.95, 1.0])
names = st.sampled_from(["student_name", "school_name", "grade", "essay_text", "phone"])
policies = st.builds(
    Policy,
    default_required=st.lists(names, min_size=1, max_size=4, unique=True).map(tuple),
    min_essay_words=st.sampled_from([0, 50, 120, 121]),
    auto_complete=st.booleans(),
    complete_confidence=certainty,
    retry_confidence=certainty,
    weak_field_confidence=certainty,
    max_tries=st.integers(1, 3),
    max_steps=st.integers(1, 5),
)


@given(policy=policies, sure=certainty, grade=st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_modes_decide_alike_by_any_policy(policy: Policy, sure: float, grade: bool, tmp_path: Path) -> None:
    fields = {"student_name": read("Marisol Vega", sure), "grade": read("4" if grade else None)}
    assert_alike(*by_both(policy, entry(policy, **fields), tmp_path))


def test_every_setting_that_decides_reaches_the_policy() -> None:
    chosen = {
        "auto_complete": False,
        "complete_confidence": 0.91,
        "retry_confidence": 0.41,
        "weak_field_confidence": 0.71,
        "min_essay_words": 7,
        "max_tries": 3,
        "max_steps": 4,
    }
    assert set(chosen) == set(FROM_SETTINGS)
    policy = policy_of(Settings(_env_file=None, **chosen))
    assert {name: getattr(policy, name) for name in chosen} == chosen


@pytest.mark.parametrize(
    "season",
    [{"complete_confidance": 0.99}, {"complete_confidence": 9}, {"default_required": ["grdae"]}],
    ids=["misspelled rule", "no share", "no such field"],
)
def test_a_rule_that_does_not_fit_is_an_error(season: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="the season's policy"):
        policy_of(Settings(_env_file=None), season)
