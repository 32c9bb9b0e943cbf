"""Read a folder of entries without a server or database and compare with the labels.

    .venv/bin/python scripts/regression_check.py --pdf-dir DIR --output-dir OUT [--labels FILE]
        [--use-orchestrator true|false|both] [--ocr-provider NAME] [--workers N] [--baseline FILE]

Writes OUT/predictions.json (with `both` also predictions_direct.json) and OUT/report.json. A report can be the
baseline of a later run over the same files. Ends with 1 when worse than the baseline, with 2 when it cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import get_settings
from scripts.regression.baseline import BaselineMismatchError, compare_reports
from scripts.regression.files import entry_files
from scripts.regression.read_file import read_file
from scripts.regression.run import MODES, Check, ReadFile, run_check
from scripts.regression.school_list import load_schools


def main(arguments: list[str] | None = None, reader: ReadFile = read_file) -> int:
    """Read the command line, run, compare."""
    options = _parser().parse_args(arguments)
    labels_file = options.labels or options.pdf_dir / "labels.json"
    files = entry_files(options.pdf_dir) if options.pdf_dir.is_dir() else []
    if not files:
        print(f"no entries in {options.pdf_dir}", file=sys.stderr)
        return 2
    check = Check(
        files=files,
        output=options.output_dir,
        labels=_json(labels_file) if options.labels or labels_file.is_file() else {},
        modes=MODES[options.use_orchestrator],
        provider=options.ocr_provider or get_settings().ocr_provider,
        workers=options.workers,
        cache=options.cache_dir,
        schools=load_schools(options.schools) if options.schools else None,
    )
    report = run_check(check, reader)
    return _compare(report, _json(options.baseline)) if options.baseline else 0


def _compare(report: dict[str, Any], baseline: dict[str, Any]) -> int:
    try:
        worse = compare_reports(report, baseline)
    except BaselineMismatchError as exc:
        print(exc, file=sys.stderr)
        return 2
    for line in worse:
        print(f"worse: {line}")
    return 1 if worse else 0


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Read a folder of entries and compare with the labels.")
    parser.add_argument("--pdf-dir", type=Path, required=True, help="folder of PDF, picture and Word files")
    parser.add_argument("--output-dir", type=Path, required=True, help="where predictions and report go")
    parser.add_argument("--labels", type=Path, help="default: labels.json in the folder, if there is one")
    parser.add_argument("--use-orchestrator", choices=tuple(MODES), default="true")
    parser.add_argument("--ocr-provider", help="default: the setting OCR_PROVIDER")
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--baseline", type=Path, help="report.json of an earlier run over the same files")
    parser.add_argument("--schools", type=Path, help="school list (CSV); default: none, as for an unknown office")
    parser.add_argument("--cache-dir", type=Path, help="keep recognised pages here; default: forget them")
    return parser


if __name__ == "__main__":
    sys.exit(main())
