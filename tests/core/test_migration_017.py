"""Sentences that rows of research held before migration 017 become codes with parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.migrations import MIGRATIONS, upgrade

REPORT, LOOP = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
PERSON, SEASON = "00000000-0000-0000-0000-000000000003", "00000000-0000-0000-0000-000000000004"


@pytest.fixture
def earlier(empty_database_url: str, tmp_path: Path) -> Iterator[psycopg.Connection]:
    """A database as it was before, with a report and a loop over it."""
    for path in MIGRATIONS.glob("*.sql"):
        if path.name[:3] <= "015":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    upgrade(empty_database_url, tmp_path)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(
            "insert into profiles (id, email, role) values (%s, 'o@example.org', 'admin')", [PERSON]
        )
        connection.execute("insert into seasons (id, name) values (%s, 'S')", [SEASON])
        connection.execute(
            "insert into reports (id, season_id, requested_by, query) values (%s, %s, %s, 'Why?')",
            [REPORT, SEASON, PERSON],
        )
        connection.execute("insert into report_versions values (%s, 1, '{}', 'synthesis')", [REPORT])
        connection.execute(
            "insert into report_supervisions (id, report_id, requested_by, first_version, last_version)"
            " values (%s, %s, %s, 1, 1)",
            [LOOP, REPORT, PERSON],
        )
        yield connection


def upgraded(connection: psycopg.Connection, query: LiteralString) -> Any:
    upgrade(make_conninfo(connection.info.dsn, password=connection.info.password))
    row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize(
    ("explanation", "notes"),
    [
        ("As you chose, 2 web researchers will work.", [("allocation_asked_for", {})]),
        ("Nobody chose, so one researcher of each kind will work.", [("allocation_by_default", {})]),
        (
            "The model proposed 3 web researchers; at most 3 work at a time, so 1 web researcher will work. "
            "No source for web research is available; 1 web researcher will search as academic instead. "
            "No source for book research is available, nor any other; 2 book researchers cannot work.",
            [
                ("allocation_by_model_scaled", {"chosen": 9, "most": 3}),
                ("allocation_handed_on", {"kind": "web", "count": 1, "other_kind": "academic"}),
                ("allocation_no_source", {"kind": "book", "count": 2}),
            ],
        ),
        ("Asked for by the user.", [("legacy", {"text": "Asked for by the user."})]),
        ("", []),
    ],
)
def test_who_chose_the_researchers(earlier: psycopg.Connection, explanation: str, notes: list[Any]) -> None:
    model = {"web_count": 3, "academic_count": 3, "book_count": 3}
    old = {"user": None, "model": model, "effective": None, "explanation": explanation}
    earlier.execute("update reports set allocation = %s", [json.dumps(old)])
    found = upgraded(earlier, "select allocation from reports")
    assert [(note["code"], note["params"]) for note in found["notes"]] == notes
    assert "explanation" not in found and found["model"] == model


GAPS = [
    ("Need more candidates: have 3, want 10", None, [], None, ("", 3, 10)),
    ("Need more diverse sources: 1 domains, want 8", None, [], "diverse_sources", ("", 1, 8)),
    ("Missing coverage: costs", None, [], "costs", ("", None, None)),
    ("Lida: missing cost, year", "Lida", ["cost", "year"], None, ("", None, None)),
    ("Lida: weak evidence for cost", "Lida", ["cost"], None, ("", None, None)),
    ("Nobody writes of the costs.", None, [], "costs", ("Nobody writes of the costs.", None, None)),
]


@pytest.mark.parametrize(("description", "candidate", "fields", "topic", "expected"), GAPS)
def test_gaps(
    earlier: psycopg.Connection,
    description: str,
    candidate: str | None,
    fields: list[str],
    topic: str | None,
    expected: Any,
) -> None:
    earlier.execute(
        "insert into report_gaps (report_id, gap_id, gap_type, description, priority, candidate_name,"
        " missing_fields, missing_topic, opened_round) values (%s, 'g', 'x', %s, 1, %s, %s, %s, 1)",
        [REPORT, description, candidate, fields, topic],
    )
    gap = {
        "description": description,
        "candidate_name": candidate,
        "missing_fields": fields,
        "missing_topic": topic,
    }
    memo = json.dumps({"gaps": [gap, {"description": "Other"}]})
    earlier.execute("insert into report_rounds (report_id, round_index, memo) values (%s, 1, %s)", [REPORT, memo])
    assert tuple(
        upgraded(earlier, "select array[description, have::text, wanted::text] from report_gaps")
    ) == tuple(None if one is None else str(one) for one in expected)
    first, other = upgraded(earlier, "select memo -> 'gaps' from report_rounds")
    assert (first["description"], first.get("have"), first.get("wanted")) == expected
    assert other == {"description": "Other"}


ISSUES = [
    (
        "3 of 4 sources on this subject rest on it, and the document does not name it.",
        ("concept_not_named", {"naming": 3, "sources": 4}),
    ),
    ("The plan names it, and the document does not.", ("planned_not_named", {})),
    ("The section says less, or cites less, than the others of this document.", ("section_thin", {})),
    (
        "2 statements in “What it “costs”” with a figure, a date or a name have no source.",
        ("claims_unsupported", {"heading": "What it “costs”", "count": 2}),
    ),
    (
        "“One”, “Two, three” speak of it, and nothing in the document brings them together.",
        ("sections_not_joined", {"headings": ["One", "Two, three"]}),
    ),
    ("The findings rest on it.", None),
]


@pytest.mark.parametrize(("rationale", "grounds"), ISSUES)
def test_issues(earlier: psycopg.Connection, rationale: str, grounds: Any) -> None:
    issue = {"topic": "scaffolding", "rationale": rationale, "integration_guidance": "Say what it is."}
    attempt(earlier, "no_evidence", "", issue)
    found = upgraded(earlier, "select issue from report_revisions")
    if grounds is None:
        assert found == issue
    else:
        assert (found["grounds"]["code"], found["grounds"]["params"]) == grounds
        assert (found["rationale"], found["integration_guidance"], found["topic"]) == ("", "", "scaffolding")


@pytest.mark.parametrize(
    ("outcome", "explanation", "reasons"),
    [
        ("failed", "model_unavailable", [("model_unavailable", {})]),
        ("no_evidence", "", []),
        (
            "refused_by_guard",
            "citations are gone: a2019, b2020; sections are gone or empty: Costs; and more; the text has shrunk"
            " from 900 to 100 characters; at least 80% must stay; none of the sources that were found is cited for"
            " something new",
            [
                ("citations_lost", {"keys": ["a2019", "b2020"]}),
                ("sections_lost", {"headings": ["Costs; and more"]}),
                ("text_shrunk", {"was": 900, "now": 100, "least": 80}),
                ("nothing_new", {}),
            ],
        ),
        ("refused_by_guard", "It was odd.", [("legacy", {"text": "It was odd."})]),
    ],
)
def test_attempts(earlier: psycopg.Connection, outcome: str, explanation: str, reasons: list[Any]) -> None:
    attempt(earlier, outcome, explanation, None)
    found = upgraded(earlier, "select reasons from report_revisions")
    assert [(reason["code"], reason["params"]) for reason in found] == reasons


def attempt(connection: psycopg.Connection, outcome: str, explanation: str, issue: dict[str, str] | None) -> None:
    connection.execute(
        "insert into report_revisions (supervision_id, report_id, season_id, iteration, issue, outcome,"
        " explanation, base_version) values (%s, %s, %s, 1, %s, %s, %s, 1)",
        [LOOP, REPORT, SEASON, json.dumps(issue) if issue else None, outcome, explanation],
    )
