"""Results in `docs/benchmarks/<name>.json`, and the page `docs/benchmarks.md` made of them all.

Each measure keeps its day and the commit it was taken on; the page says whether the code has changed since.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from core.clock import utcnow
from lab.bench.measure import Measure

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "benchmarks"
PAGE = ROOT / "docs" / "benchmarks.md"

#: Column titles and rows, under a title.
Table = Mapping[str, Any]

#: The code that each benchmark measures.
_MEASURED_CODE: Mapping[str, Sequence[str]] = {
    "desk": ("services/review", "web/review", "templates/review", "static/js"),
    "faults": ("core/lease.py", "jobs", "services/reconcile.py", "services/recovery", "services/runs"),
    "fleet": ("core/lease.py", "core/database.py", "deploy", "jobs", "services/reconcile.py", "services/recovery"),
    "fuzz": ("core/confined", "pipeline/files", "pipeline/mupdf", "web/security"),
    "library": ("services/library/essays",),
    "office": ("pipeline/duplicates", "services/duplicates.py", "services/exports", "services/form_studio"),
    "reading": ("pipeline",),
    "research": ("research",),
    "scale": ("core", "jobs", "services", "supabase/migrations", "web"),
    "search": ("services/entries/listing.py", "supabase/migrations"),
    "stats": ("services/stats", "services/trust"),
    "supervision": ("research/supervision", "services/supervision"),
}

_INTRODUCTION = """# Benchmarks

Each `make bench-<name>`, `make fuzz`, `make test-faults` and `make test-fleet` measures in one run on one machine,
beside its peers, and writes `benchmarks/<name>.json`; this page is made of those files. "Holds" says whether the
target is met, "measured" on which day and commit. "Older code": what it measures had changed by the time this page
was made. `make benches` runs all but reading, scale, hostile files, faults and the fleet, one after the other, in
about 45 minutes.
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
    taken = {"measured_at": utcnow().date().isoformat(), "commit": _git("rev-parse", "--short=8", "HEAD")}
    found = [{**measure.as_json(), **taken} for measure in measures]
    result = {
        "name": name,
        "measures": _merged(before.get("measures", []), found, "measure"),
        "tables": _merged(before.get("tables", []), list(tables), "title"),
        "machine": machine(),
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
    _changed_since.cache_clear()
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
    name = result["name"]
    head = f"## {name}\n\n{result.get('machine', '')}\n"
    rows = [
        [
            f"`{m['measure']}`",
            f"{_number(m['value'])} {m['unit']}".strip(),
            m["target"],
            _holds(m),
            _measured(name, m),
            m["how"],
        ]
        for m in result["measures"]
    ]
    columns = ["measure", "value", "target", "holds", "measured", "how"]
    parts = [head, _markdown(columns, rows)] if rows else [head]
    for table in result.get("tables", ()):
        parts.append(f"### {table['title']}\n")
        parts += [f"{table['text']}\n"] if table.get("text") else []
        parts.append(_markdown(table["columns"], table["rows"]))
    return "\n".join(parts)


def _measured(name: str, measure: Mapping[str, Any]) -> str:
    commit = measure.get("commit", "")
    older = ", older code" if commit and _changed_since(name, commit) else ""
    return f"{measure.get('measured_at', '')} {commit}{older}".strip()


@cache
def _changed_since(name: str, commit: str) -> bool:
    """Whether the code that a benchmark measures has changed after a commit; False where git does not know."""
    return _git("rev-list", "--count", f"{commit}..HEAD", "--", *_MEASURED_CODE.get(name, (".",))) not in ("", "0")


def _git(*arguments: str) -> str:
    """What git says of this checkout; "" where there is no repository, or no such commit."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


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
