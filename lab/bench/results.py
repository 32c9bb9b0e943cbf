"""Results in `docs/benchmarks/<name>.json`, and the page `docs/benchmarks.md` made of them all."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.clock import utcnow
from lab.bench.measure import Measure

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "benchmarks"
PAGE = ROOT / "docs" / "benchmarks.md"

#: Column titles and rows, under a title.
Table = Mapping[str, Any]

_INTRODUCTION = """# Benchmarks

Each `make bench-<name>`, `make fuzz` and `make test-faults` measures in one run on one machine, beside its peers,
and writes `benchmarks/<name>.json`; this page is made of those files. "Holds" says whether the target is met.
"""


def write_results(
    name: str,
    measures: Sequence[Measure],
    tables: Sequence[Table] = (),
    *,
    keep: bool = False,
    folder: Path = FOLDER,
    page: Path = PAGE,
) -> bool:
    """Write one benchmark's results and the page, print the table; whether every target holds.

    `keep`: only some was measured; the file's other measures and tables stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    before = _stored(path) if keep else {}
    found = [measure.as_json() for measure in measures]
    result = {
        "name": name,
        "measures": _merged(before.get("measures", []), found, "measure"),
        "tables": _merged(before.get("tables", []), list(tables), "title"),
        "machine": machine(),
        "measured_at": utcnow().date().isoformat(),
    }
    path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    write_page(folder, page)
    print(plain_table(found))
    return all(measure.holds for measure in measures)


def stored_values(name: str, folder: Path = FOLDER) -> dict[str, float]:
    """Return the values that a benchmark's file holds, by measure; none if there is no file."""
    return {found["measure"]: found["value"] for found in _stored(folder / f"{name}.json").get("measures", [])}


def write_page(folder: Path = FOLDER, page: Path = PAGE) -> None:
    """Make the page of all results there are."""
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    page.write_text("\n".join([_INTRODUCTION, *map(_section, results)]), encoding="utf-8")


def plain_table(measures: Sequence[Mapping[str, Any]]) -> str:
    """The measures for a terminal."""
    width = max((len(m["measure"]) for m in measures), default=0)
    lines = [
        f"{m['measure']:<{width}}  {_number(m['value']):>10} {m['unit']:<14} {m['target']:<10} {_holds(m)}"
        for m in measures
    ]
    return "\n".join(lines)


def machine() -> str:
    """What it was measured on, without a name."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def _stored(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _merged(before: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    new = {item[key]: item for item in found}
    known = {item[key] for item in before}
    return [new.get(item[key], item) for item in before] + [item for item in found if item[key] not in known]


def _section(result: Mapping[str, Any]) -> str:
    head = f"## {result['name']}\n\n{result.get('measured_at', '')}, {result.get('machine', '')}\n"
    rows = [
        [f"`{m['measure']}`", f"{_number(m['value'])} {m['unit']}".strip(), m["target"], _holds(m), m["how"]]
        for m in result["measures"]
    ]
    parts = [head, _markdown(["measure", "value", "target", "holds", "how"], rows)] if rows else [head]
    for table in result.get("tables", ()):
        parts.append(f"### {table['title']}\n")
        parts += [f"{table['text']}\n"] if table.get("text") else []
        parts.append(_markdown(table["columns"], table["rows"]))
    return "\n".join(parts)


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines) + "\n"


def _cell(value: Any) -> str:
    return _number(value) if isinstance(value, int | float) else str(value).replace("|", "\\|")


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _holds(measure: Mapping[str, Any]) -> str:
    if not measure["target"]:
        return ""
    return "yes" if measure["holds"] else "no"
