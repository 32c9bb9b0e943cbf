"""The state holds JSON and nothing undeclared."""

from enum import StrEnum
from typing import NamedTuple

import pytest
from pydantic import BaseModel, SecretStr

from core.plain_data import checked_delta
from pipeline.orchestrator_state import AgentState, applied

DECLARED = AgentState.__annotations__


class Colour(StrEnum):
    RED = "red"


class Pair(NamedTuple):
    a: int
    b: int


class Thing(BaseModel):
    a: int = 1


def test_a_key_that_is_not_declared_is_refused() -> None:
    with pytest.raises(TypeError, match="access_token"):
        checked_delta("run_pipeline", {"access_token": "x"}, DECLARED)


@pytest.mark.parametrize(
    "value", [Thing(), SecretStr("x"), Colour.RED, Pair(1, 2), (1, 2), {1: "a"}, {"a": b"x"}, [{"a": {1, 2}}]]
)
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="report"):
        checked_delta("run_pipeline", {"report": {"key": value}}, DECLARED)


def test_json_passes() -> None:
    delta: AgentState = {"report": {"a": [1, 2.5, None, True, {"b": "ñ"}]}, "tries": 1}
    assert checked_delta("run_pipeline", delta, DECLARED) is delta


def test_no_token_is_declared() -> None:
    assert not [key for key in AgentState.__annotations__ if "token" in key]


def test_a_delta_is_added_as_the_reducers_do() -> None:
    after = applied(
        {"tools_used": ["run_pipeline"], "tries": 1, "reason": {"code": "a"}},
        {"tools_used": ["retry_with_llm"], "tries": 1, "reason": {"code": "b"}},
    )
    assert after == {"tools_used": ["run_pipeline", "retry_with_llm"], "tries": 2, "reason": {"code": "b"}}
