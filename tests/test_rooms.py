"""Folders and modules stay small, and the rooms of a layer import each other in one direction only (ADR 1)."""

from __future__ import annotations

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.code import LAYERS, ROOT, id_of, imports, sources

#: Of a folder of the product and of `scripts/`; `lab/` is no part of the product, and its folders may have more.
MOST_MODULES = 14
#: Of a module, wherever it lies.
MOST_LINES = 500
#: Modules that lie at the root of their layer because of their names, and the room that each belongs to.
NAMED_ENTRIES = {
    "allocation": "plan",
    "gap_detection": "gaps",
    "queries": "plan",
    "report_type": "questions",
    "round_loop": "rounds",
    "ocr": "recognition",
    "orchestrator_db": "orchestrator",
    "orchestrator_graph": "orchestrator",
    "orchestrator_nodes": "orchestrator",
    "review_agent_graph": "orchestrator",
}


def modules_by_folder() -> Counter[str]:
    files = [path for path in sources(*LAYERS.keys() - {"lab"}) if path.name != "__init__.py"]
    return Counter(str(path.parent.relative_to(ROOT)) for path in files)


def test_no_folder_is_crowded() -> None:
    crowded = {folder: number for folder, number in modules_by_folder().items() if number > MOST_MODULES}
    assert crowded == {}


def test_no_module_is_long() -> None:
    lines = {id_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {module: number for module, number in lines.items() if number > MOST_LINES} == {}


def room_of(dotted: str) -> str:
    """The first folder or module below the layer."""
    name = dotted.split(".")[1]
    return NAMED_ENTRIES.get(name, name)


def rooms(layer: str) -> dict[str, set[str]]:
    """{room: the other rooms of its layer that it imports}."""
    found: dict[str, set[str]] = {}
    for path in sources(layer):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] == "__init__":
            continue
        own = room_of(".".join(parts))
        below = {room_of(name) for name in imports(path) if name.startswith(f"{layer}.")}
        found.setdefault(own, set()).update(below - {own})
    return found


@pytest.mark.parametrize("layer", ["pipeline", "research", "services", "web"])
def test_rooms_import_in_one_direction(layer: str) -> None:
    try:
        TopologicalSorter(rooms(layer)).prepare()
    except CycleError as error:
        pytest.fail(f"rooms of {layer} import each other in a circle: {' <- '.join(error.args[1])}")


def test_the_pages_of_review_and_research_do_not_import_each_other() -> None:
    found = rooms("web")
    assert "research" not in found["review"]
    assert "review" not in found["research"]


def only_reexports(path: Path) -> bool:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return all(line.startswith(("from ", "import ", "    ", ")", "__all__", "]", '"""')) for line in lines)


def test_no_module_only_reexports() -> None:
    found = [p for p in sources("pipeline", "services", "web", "core") if p.name != "__init__.py"]
    assert [id_of(path) for path in found if only_reexports(path)] == []
