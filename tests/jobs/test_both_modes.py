"""What the settings and the season decide, through real jobs with the supervisor and without it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from core.config import load_settings
from core.models import Season
from services.context import Context
from services.seasons import current_season
from services.uploads.submit import IncomingFile, submit_files
from tests.support.long import some
from tests.support.office import SAMPLES, entries_of, make_person, settled, wait_until, working
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.servers.groq_server import GroqServer, answer
from tests.support.site import tidy_context

#: By file: an entry whose name is read with 0.99, and one in which the grade is missing.
FILES = {
    "less-than-certain": (SAMPLES / "10-essay-without-a-form.pdf").read_bytes(),
    "no-grade": acroform({**COMPLETE, "Grade": ""}),
}
NONE, ALL = dict.fromkeys(FILES, False), dict.fromkeys(FILES, True)
#: Which entries complete by default.
DEFAULT = {**NONE, "less-than-certain": True}

#: What is set and which entries complete then.
RULES: dict[str, tuple[dict[str, Any], Mapping[str, bool]]] = {
    "complete_confidence": ({"complete_confidence": 0.9999}, NONE),
    "weak_field_confidence": ({"weak_field_confidence": 0.9999}, NONE),
    "auto_complete": ({"auto_complete": False}, NONE),
    "min_essay_words": ({"min_essay_words": 5000}, NONE),
    "max_steps": ({"max_steps": 1}, NONE),
    "retry": ({"retry_confidence": 1.0, "max_tries": 3}, DEFAULT),
}
SEASONS: dict[str, tuple[dict[str, Any], Mapping[str, bool]]] = {
    **RULES,
    "more required": ({"default_required": ["student_name", "teacher_name"]}, NONE),
    "less required": ({"default_required": ["student_name", "school_name"]}, ALL),
}

#: By season and file: status, needs_review, missing fields.
Decided = dict[tuple[str, str], tuple[str, bool, list[str]]]


def by_worker(chosen: dict[str, Any], seasons: Mapping[str, dict[str, Any]], **settings: Any) -> Decided:
    """Have a worker with these settings read the files in each of the seasons."""
    with GroqServer(otherwise=answer({})) as model:
        connected = {"groq_api_key": model.key, "groq_base_url": model.url}
        with tidy_context(load_settings(**chosen, **connected, **settings)) as context:
            context.redis.flushdb()
            batches = {name: _submitted(context, name, policy) for name, policy in seasons.items()}
            with working(context):
                for name, batch in batches.items():
                    wait_until(lambda batch=batch: settled(context, batch), f"the end of {name}")
            return {
                (name, file): (entry.status, entry.needs_review, list(entry.missing_fields))
                for name, batch in batches.items()
                for file, entry in zip(FILES, entries_of(context, batch), strict=True)
            }


def _submitted(context: Context, season: str, policy: dict[str, Any]) -> Any:
    with context.database.session() as session:
        current_season(session).is_current = False
        session.flush()
        session.add(Season(name=season, is_current=True, policy=policy))
    files = [IncomingFile(f"{name}.pdf", data) for name, data in FILES.items()]
    return submit_files(context, make_person(context), files)


def assert_alike(graph: Decided, direct: Decided) -> None:
    """The same decisions, but that the supervisor proposes something where the other escalates."""
    unproposed = {
        key: ("escalated" if status == "suggested" else status, *rest) for key, (status, *rest) in graph.items()
    }
    assert direct == unproposed


def completed(found: Decided, season: str) -> dict[str, bool]:
    """By file, whether the machine completed it; what it did not complete needs a person."""
    assert all(needs_review == (status != "completed") for status, needs_review, _ in found.values())
    return {file: found[season, file][0] == "completed" for file in FILES}


@pytest.mark.long
@pytest.mark.parametrize("rule", some(["complete_confidence", "auto_complete"], every=2))
def test_a_setting_decides_alike_in_both_modes(chosen: dict[str, Any], rule: str) -> None:
    setting, expected = RULES[rule]
    graph, direct = (by_worker(chosen, {rule: {}}, **setting, use_orchestrator=mode) for mode in (True, False))
    assert_alike(graph, direct)
    assert completed(graph, rule) == expected


@pytest.mark.long
def test_a_season_decides_alike_in_both_modes(chosen: dict[str, Any]) -> None:
    tried = {name: SEASONS[name] for name in some([*reversed(SEASONS)], every=5)}
    policies = {name: policy for name, (policy, _) in tried.items()}
    graph, direct = (by_worker(chosen, policies, use_orchestrator=mode) for mode in (True, False))
    assert_alike(graph, direct)
    for name, (_, expected) in tried.items():
        assert completed(graph, name) == expected, name
