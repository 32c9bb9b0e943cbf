"""Promises about the house, kept by reading the code: imports go downward, settings are documented, and so on."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import signature
from pathlib import Path

from tests.support.code import LAYERS, ROOT, id_of, imports, layer_of, sources, syntax_tree

#: The only package that may import a parser of PDFs, the names of PyMuPDF, and the module that it comes from.
PARSING = ROOT / "pipeline" / "mupdf"
PARSERS = {"pymupdf", "fitz"}
PARSER = "core.confined.mupdf"


def goes_upward(own: str, name: str) -> bool:
    """Whether a module of layer `own` may not import the module `name`."""
    other = name.partition(".")[0]
    if other not in LAYERS or other == own:
        return False
    return LAYERS[other] <= LAYERS[own] and not (own == "flask_app" and LAYERS[other] == 1)


def test_imports_go_downward() -> None:
    upward = [
        f"{id_of(p)} imports {name}" for p in sources() for name in imports(p) if goes_upward(layer_of(p), name)
    ]
    assert upward == []


def test_pipeline_and_research_do_not_know_each_other() -> None:
    found = [(id_of(p), name) for p in sources("pipeline") for name in imports(p) if name.startswith("research.")]
    found += [(id_of(p), name) for p in sources("research") for name in imports(p) if name.startswith("pipeline.")]
    assert found == []


def test_one_package_parses_the_files_of_people() -> None:
    """So that parsing can be moved to a process of its own."""
    found = [
        id_of(path)
        for path in sources("core", "pipeline", "services", "jobs", "commands", "web", "flask_app")
        if not path.is_relative_to(PARSING) and PARSER in imports(path)
    ]
    assert found == []


def test_the_parser_is_imported_in_one_place() -> None:
    """Any other import of it would load what it is imported without."""
    found = [
        id_of(path)
        for path in (*sources(), *sources("tests"))
        if any(name.split(".")[0] in PARSERS for name in imports(path))
    ]
    assert found == ["core/confined/mupdf.py"]


def test_no_object_of_the_parser_is_handed_on() -> None:
    """Modules that take or return one are for the package itself."""
    inner = {f"pipeline.mupdf.{path.stem}" for path in PARSING.glob("*.py") if hands_on(path)}
    assert "pipeline.mupdf.library" in inner and "pipeline.mupdf.file" not in inner
    for path in sources():
        if not path.is_relative_to(PARSING):
            assert not inner & set(imports(path)), id_of(path)


def hands_on(path: Path) -> bool:
    """Whether a public function takes or returns an object of the parser."""
    public = [
        node
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    annotations = [node for function in public for node in (function.args, function.returns) if node is not None]
    return any(
        isinstance(part, ast.Name) and part.id in PARSERS for node in annotations for part in ast.walk(node)
    )


def test_no_relative_imports() -> None:
    relative = [
        id_of(path)
        for path in sources()
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_only_the_settings_read_the_environment() -> None:
    """`lab/fresh` works on the machine, not in the product."""
    for path in sources():
        if path == ROOT / "core" / "config.py" or ROOT / "lab" / "fresh" in path.parents:
            continue
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in {("os", "environ"), ("os", "getenv")}, id_of(path)


def test_the_product_knows_neither_laboratory_nor_scripts() -> None:
    for path in sources():
        if layer_of(path) not in ("lab", "scripts"):
            assert not [name for name in imports(path) if name.startswith(("lab", "scripts"))], id_of(path)


def test_every_setting_is_documented() -> None:
    from core.config import Settings

    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    missing = [name.upper() for name in Settings.model_fields if f"`{name.upper()}`" not in page]
    assert not missing


def test_every_function_of_a_kind_of_work_exists() -> None:
    """They go by dotted name: each must be importable, and takes what it is called with."""
    from core.queue import RUNNER
    from core.work import function_of
    from services.recovery.kinds import ALL

    assert len(ALL) >= 5 and callable(function_of(RUNNER))
    for work in ALL:
        given = {work.does: 2, str(work.fails): 3, work.stops: 3, work.retries: 3 if work.retried_by_person else 2}
        for name in work.functions:
            signature(function_of(name)).bind(*range(given[name]))


def test_what_a_failure_writes_are_columns() -> None:
    """They go by name: a row that fails must have them, and those of the error."""
    from services.recovery.kinds import ALL

    declared = {work.name: work for work in ALL if isinstance(work.fails, Mapping)}
    assert len(declared) >= 5
    for name, work in declared.items():
        columns = set(work.key.class_.__table__.columns.keys())
        assert {*(work.fails or ()), "error_code", "error_params"} <= columns and work.leases is not None, name


#: Columns of leases: nothing but `core/lease.py` compares or writes them, by the declarations of `core/models`.
LEASE_COLUMNS = {"lease_owner", "lease_until", "claimed_by", "claimed_until"}


def test_one_lease() -> None:
    for path in sources():
        if path.is_relative_to(ROOT / "core" / "models"):
            continue
        names = {
            name
            for node in ast.walk(syntax_tree(path))
            for name in (getattr(node, "attr", None), getattr(node, "arg", None))
        }
        assert not names & LEASE_COLUMNS, id_of(path)


def test_one_engine_and_short_sessions() -> None:
    """`db.init_app` makes the engines, and `db.session`, which lasts as long as its context, is for the shell."""
    for path in sources():
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) != ("db", "session"), id_of(path)
            if isinstance(node, ast.alias):
                assert node.name not in ("create_engine", "engine_from_config", "scoped_session"), id_of(path)
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("create_engine", "engine_from_config"), id_of(path)
