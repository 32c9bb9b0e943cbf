"""What the decisions in `docs/adr/` name in backticks is still there, or is a name of others."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.support.code import ROOT
from tests.support.seed_map import rows

DECISIONS = sorted((ROOT / "docs" / "adr").glob("*.md"))
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.*<>-]+(/[\w.*<>-]+)*/?")
_NAME = re.compile(r"\w+(\.\w+)*")
_FOLDERS = (
    "core",
    "pipeline",
    "research",
    "services",
    "web",
    "jobs",
    "commands",
    "lab",
    "scripts",
    "supabase",
    "tests",
)
_TREE = (*_FOLDERS, "deploy", "templates", "static", "docs", "samples", "typings", "translations", ".ci")
#: Made at run time, below `var/` or in a folder that is watched.
_AT_RUN_TIME = ("var/", "taken/", "refused/", ".second-reader/")
#: Names of other programs, and names of the plans that have no row of their own in `docs/seed_map.md`.
_PROGRAMS = frozenset({"SimpleWorker", "MemorySaver", "_fast"})
_PLANS = frozenset(
    {
        "conduct_research",
        "refine_draft",
        "research_complete",
        "generate_queries",
        "research_query",
        "search_queries",
    }
    | {"paper_summaries", "quality_settings", "zotero_keys", "final_review_v2", "GENERATE_"}
)


@cache
def _files() -> frozenset[str]:
    """Every file and folder of the tree, as a path from its root."""
    found = [path for folder in _TREE for path in (ROOT / folder).rglob("*")]
    return frozenset(f"/{path.relative_to(ROOT)}" for path in [*found, *ROOT.iterdir()])


@cache
def _words() -> frozenset[str]:
    """Every word of the sources and settings, and every name of the plans."""
    kinds = {".py", ".sql", ".toml", ".html", ".js", ".css", ".txt"}
    paths = [path for folder in _FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    paths += [path for path in ROOT.iterdir() if path.is_file() and path.name not in ("CHANGELOG.md", "README.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in {*paths} - {Path(__file__)})
    plans = "\n".join(row.name for row in rows((ROOT / "docs" / "seed_map.md").read_text(encoding="utf-8")))
    return frozenset(re.findall(r"\w+", text + plans))


def _is_there(path: str) -> bool:
    """Whether a path, or the end of one, names a file; also `module.name` for what a module defines."""
    if path.startswith(_AT_RUN_TIME):
        return True
    ending = re.compile(".*/" + re.escape(path.strip("/")).replace(r"\*", "[^/]*") + r"(\.py)?")
    if any(ending.fullmatch(file) for file in _files()):
        return True
    module, _, name = path.rpartition(".")
    return bool(module) and f"/{module}.py" in _files() and name in _words()


def gone(text: str) -> list[str]:
    """Return the names in backticks that look like a path or an identifier of the code, and that nothing has."""
    missing = []
    for told in _CODE.findall(text):
        named = told.partition("(")[0]
        if "/" in named and _PATH.fullmatch(named):
            known = _is_there(named)
        elif _NAME.fullmatch(named) and re.search(r"_|[a-z][A-Z]|\w\.\w", named):
            last = named.rpartition(".")[2]
            # A setting is a name in capitals of what the code has in small letters.
            known = last in _PROGRAMS | _PLANS or bool({last, last.lower()} & _words())
        else:
            continue
        if not known:
            missing.append(told)
    return missing


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.stem[:4])
def test_what_a_decision_names_is_there(decision: Path) -> None:
    assert gone(decision.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "name",
    ["services/review/gone.py", "core/lease.Unheld", "AllocationChosen", "propose_gap", "Planning.unheld_of"],
)
def test_a_name_that_nothing_has_is_found(name: str) -> None:
    assert gone(f"It is `{name}`, beside `core/lease.py`.") == [name]


def test_a_table_names_each_table_once() -> None:
    """Who reads a table is said in one row of ADR 27."""
    page = next(path for path in DECISIONS if path.name.startswith("0027")).read_text(encoding="utf-8")
    tables = re.findall(r"^\| (`\w+`.*?) \|", page, re.MULTILINE)
    names = Counter(name for cell in tables for name in _CODE.findall(cell))
    assert [name for name, times in names.items() if times > 1] == []
