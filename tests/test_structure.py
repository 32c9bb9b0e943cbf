"""Promises about the house, kept by reading the code: imports go downward, rules stay pure, and so on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Lower number: higher in the house. A layer may import its own and those below.
LAYERS = {
    "flask_app": 0,
    "scripts": 0,
    "web": 1,
    "commands": 1,
    "jobs": 1,
    "services": 2,
    "pipeline": 3,
    "research": 3,
    "core": 4,
}
PURE = (
    "*_routing.py",
    "gap_detection.py",
    "allocation.py",
    "memo.py",
    "supervision/routing.py",
    "supervision/guard.py",
)
IMPURE = {"psycopg", "sqlalchemy", "redis", "rq", "requests", "httpx", "datetime", "time", "os", "random", "flask"}
IMPURE_OWN = {"core.config", "core.database", "core.llm", "core.clock", "core.queue", "core.file_store"}


def sources() -> list[Path]:
    found = [ROOT / "flask_app.py"]
    for layer in LAYERS:
        found += sorted((ROOT / layer).rglob("*.py"))
    return found


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def id_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", sources(), ids=id_of)
def test_imports_go_downward(path: Path) -> None:
    own = layer_of(path)
    for name in imports(path):
        other = name.partition(".")[0]
        if other not in LAYERS or other == own:
            continue
        assert LAYERS[other] > LAYERS[own] or (own == "flask_app" and LAYERS[other] == 1), f"{own} imports {name}"


@pytest.mark.parametrize("path", sources(), ids=id_of)
def test_no_relative_imports(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def test_rules_are_pure() -> None:
    found = [
        path for pattern in PURE for path in (*ROOT.glob(f"pipeline/{pattern}"), *ROOT.glob(f"research/{pattern}"))
    ]
    assert found
    for path in found:
        names = set(imports(path))
        assert not {name.partition(".")[0] for name in names} & IMPURE, path.name
        assert not names & IMPURE_OWN, path.name


def test_only_the_settings_read_the_environment() -> None:
    for path in sources():
        if path == ROOT / "core" / "config.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in {("os", "environ"), ("os", "getenv")}, id_of(path)


def test_only_profiles_know_the_contest() -> None:
    """The thin entry may carry the contest's initials in its name; nothing else but profiles may."""
    for path in sources():
        if "profiles" in path.parts or "samples" in path.parts or layer_of(path) == "scripts":
            continue
        text = path.read_text(encoding="utf-8").replace("extract_ifi", "")
        assert "ifi_20" not in text.casefold(), id_of(path)
        assert "fatherhood" not in text.casefold(), id_of(path)


def test_the_reader_and_the_generator_of_samples_share_nothing() -> None:
    generator = [ROOT / "scripts" / "make_samples.py", *sorted((ROOT / "scripts" / "samples").rglob("*.py"))]
    for path in generator:
        assert not {name.partition(".")[0] for name in imports(path)} & (LAYERS.keys() - {"scripts"}), id_of(path)
    for path in sources():
        if layer_of(path) != "scripts":
            assert not [name for name in imports(path) if name.startswith("scripts")], id_of(path)


def test_every_setting_is_documented() -> None:
    from core.config import Settings

    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    missing = [name.upper() for name in Settings.model_fields if f"`{name.upper()}`" not in page]
    assert not missing


def test_every_queue_function_exists() -> None:
    """Jobs go by dotted name: each name that is queued must be importable."""
    from importlib import import_module

    from services.recovery.kinds import ALL

    assert len(ALL) >= 5
    for work in ALL:
        module, _, name = work.function.rpartition(".")
        assert callable(getattr(import_module(module), name))


def test_every_direct_dependency_has_a_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert "rapidocr" in page
    pinned = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    named = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert {name for name in named if name not in pinned} == set()


#: Columns of leases: nothing but `core/lease.py` compares or writes them, by the declarations of `core/models`.
LEASE_COLUMNS = {"lease_owner", "lease_until", "claimed_by", "claimed_until"}


def test_one_lease() -> None:
    for path in sources():
        if path.is_relative_to(ROOT / "core" / "models"):
            continue
        names = {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in (getattr(node, "attr", None), getattr(node, "arg", None))
        }
        assert not names & LEASE_COLUMNS, id_of(path)


def test_one_engine_and_short_sessions() -> None:
    """`db.init_app` makes the engines, and `db.session`, which lasts as long as its context, is for the shell."""
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) != ("db", "session"), id_of(path)
            if isinstance(node, ast.alias):
                assert node.name not in ("create_engine", "engine_from_config", "scoped_session"), id_of(path)
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("create_engine", "engine_from_config"), id_of(path)
