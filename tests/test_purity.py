"""Rules that decide are pure: no database, model, clock or environment, also through what they import."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.code import ROOT, file_of, id_of, imports, syntax_tree

#: Below `pipeline/` and `research/`.
PATTERNS = (
    "*_routing.py",
    "routing.py",
    "gap_detection.py",
    "allocation.py",
    "memo.py",
    "candidates.py",
    "report_type.py",
    "questions/*.py",
)
#: Libraries that reach outside of the process, and the standard library's clock, chance and environment.
OUTSIDE = frozenset(
    {
        "anthropic",
        "dotenv",
        "flask",
        "groq",
        "httpx",
        "langchain_anthropic",
        "langchain_core",
        "langchain_groq",
        "langchain_openai",
        "langgraph",
        "langsmith",
        "openai",
        "os",
        "psycopg",
        "random",
        "redis",
        "rq",
        "secrets",
        "socket",
        "sqlalchemy",
        "subprocess",
        "supabase",
        "tempfile",
        "time",
        "urllib3",
        "uuid",
    }
)
#: Modules of ours that read the environment or the clock, or talk to a server.
OWN = frozenset(
    {"core.clock", "core.config", "core.database", "core.file_store", "core.llm.providers", "core.queue"}
)


def pure_files() -> list[Path]:
    return [
        path
        for layer in ("pipeline", "research")
        for pattern in PATTERNS
        for path in (ROOT / layer).rglob(pattern)
    ]


def reached(path: Path) -> dict[str, str]:
    """{imported name: the module that imports it}, over every module of ours on the way."""
    found: dict[str, str] = {}
    waiting, seen = [path], {path}
    while waiting:
        current = waiting.pop()
        for name in imports(current):
            found.setdefault(name, id_of(current))
            below = file_of(name)
            if below is not None and below not in seen:
                seen.add(below)
                waiting.append(below)
    return found


def test_every_pattern_finds_a_rule() -> None:
    for pattern in PATTERNS:
        assert [p for layer in ("pipeline", "research") for p in (ROOT / layer).rglob(pattern)], pattern


def reads_the_clock(path: Path) -> bool:
    """Whether a file calls one of the constructors of `datetime` and `date` that ask for the present."""
    calls = (node.func for node in ast.walk(syntax_tree(path)) if isinstance(node, ast.Call))
    return any(isinstance(f, ast.Attribute) and f.attr in {"now", "today", "utcnow"} for f in calls)


@pytest.mark.parametrize("path", pure_files(), ids=id_of)
def test_rules_ask_no_clock(path: Path) -> None:
    files = {path, *(below for name in reached(path) if (below := file_of(name)))}
    assert [id_of(file) for file in files if reads_the_clock(file)] == []


@pytest.mark.parametrize("path", pure_files(), ids=id_of)
def test_rules_are_pure(path: Path) -> None:
    impure = {
        f"{name} (imported by {by})"
        for name, by in reached(path).items()
        if name.partition(".")[0] in OUTSIDE or name in OWN
    }
    assert impure == set()
