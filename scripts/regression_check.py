"""Read a folder of entries without a server or database and compare with the labels.

    .venv/bin/python scripts/regression_check.py --pdf-dir DIR … --output-dir OUT [--labels FILE]
        [--use-orchestrator true|false|both] [--together file|folder|none] [--ocr-provider NAME] [--workers N]
        [--policy FILE] [--vision provider|FILE] [--baseline FILE [--strict]] [--write-baseline FILE]

Writes OUT/predictions.json (with `both` also predictions_direct.json), OUT/proposals.json (what the supervisor
proposes beside what was read), OUT/report.json and OUT/report.html. A report, or the shorter file of
--write-baseline, can be the baseline of a later run over the same files. Ends with 1 when worse than the baseline,
with 2 when it cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import get_settings
from core.errors import ConfigurationError
from pipeline.ocr_providers import get_provider
from scripts.regression.baseline import BaselineMismatchError, as_baseline, compare_reports
from scripts.regression.files import entry_files
from scripts.regression.read_file import read_file
from scripts.regression.reader import ReadFile
from scripts.regression.run import MODES, Check, run_check, write_json
from scripts.regression.school_list import load_schools
from scripts.regression.together import Together
from scripts.regression.vision import RecordedVision, recording
from services.policy import policy_of


def main(arguments: list[str] | None = None, reader: ReadFile = read_file) -> int:
    """Read the command line, run, compare."""
    options = _parser().parse_args(arguments)
    files = [file for folder in options.pdf_dir if folder.is_dir() for file in entry_files(folder)]
    if not files:
        print(f"no entries in {', '.join(map(str, options.pdf_dir))}", file=sys.stderr)
        return 2
    try:
        mode = options.use_orchestrator or ("true" if get_settings().use_orchestrator else "false")
        provider = options.ocr_provider or get_settings().ocr_provider
        get_provider(provider, get_settings())
        rules = _rules(options.policy) if options.policy else None
        second = _second_reader(options.vision)
    except ConfigurationError as exc:
        print(exc, file=sys.stderr)
        return 2
    check = Check(
        files=files,
        output=options.output_dir,
        labels=_labels(options.labels, options.pdf_dir),
        modes=MODES[mode],
        provider=provider,
        workers=options.workers,
        cache=options.cache_dir,
        schools=load_schools(options.schools) if options.schools else None,
        together=Together(options.together),
        rules=rules,
    )
    report = run_check(check, partial(reader, **second) if second else reader)
    status = _compare(report, _json(options.baseline), options.strict) if options.baseline else 0
    if options.write_baseline:
        write_json(options.write_baseline, as_baseline(report))
    return status


def _compare(report: dict[str, Any], baseline: dict[str, Any], strict: bool) -> int:
    try:
        found = compare_reports(report, baseline)
    except BaselineMismatchError as exc:
        print(exc, file=sys.stderr)
        return 2
    for title, lines in (("worse", found.worse), ("lost", found.lost), ("won", found.won)):
        for line in lines:
            print(f"{title}: {line}")
    if found.won and not found.lost:
        print("Better than the baseline: renew it with --write-baseline, so that this is kept.")
    return 1 if found.worse or (strict and found.lost) else 0


def _labels(file: Path | None, folders: list[Path]) -> dict[str, Any]:
    """The labels of one file, or of every folder that has some."""
    if file is not None:
        return _json(file)
    found = [folder / "labels.json" for folder in folders]
    return {digest: label for path in found if path.is_file() for digest, label in _json(path).items()}


def _rules(file: Path) -> dict[str, Any]:
    """What a season sets for itself. Raises ConfigurationError where the file does not hold rules."""
    try:
        rules = _json(file)
    except (OSError, ValueError) as exc:
        raise ConfigurationError(f"--policy {file}: {exc}") from exc
    if not isinstance(rules, dict):
        raise ConfigurationError(f"--policy {file}: not a JSON object")
    policy_of(get_settings(), rules)
    return rules


def _second_reader(wanted: str | None) -> dict[str, Any]:
    """Return what `read_file` is told of the second reader. Raises ConfigurationError where it cannot be had."""
    settings = get_settings()
    if wanted is None:
        # A run is the same wherever it is made, whatever is set there.
        return {"settings": settings.model_copy(update={"vision_model": None})} if settings.vision_model else {}
    if wanted == "provider":
        if settings.vision_model is None:
            raise ConfigurationError("--vision provider: VISION_MODEL is not set")
        return {}
    try:
        recording(Path(wanted))
    except (OSError, ValueError) as exc:
        raise ConfigurationError(f"--vision {wanted}: {exc}") from exc
    return {"vision": RecordedVision(Path(wanted))}


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Read a folder of entries and compare with the labels.")
    parser.add_argument(
        "--pdf-dir", type=Path, nargs="+", required=True, help="folders of PDF, picture and Word files"
    )
    parser.add_argument("--output-dir", type=Path, required=True, help="where predictions and report go")
    parser.add_argument("--labels", type=Path, help="default: labels.json in each folder that has one")
    parser.add_argument(
        "--use-orchestrator",
        choices=tuple(MODES),
        help="true: the supervisor's graph; false: process_submission() alone; both: one against the other; "
        "default: the setting USE_ORCHESTRATOR",
    )
    parser.add_argument(
        "--together",
        choices=[str(one) for one in Together],
        default=str(Together.FILE),
        help="which entries are decided together; folder: all of the run, as one upload",
    )
    parser.add_argument(
        "--vision",
        help="the second reader: provider (VISION_…), or a file of recorded replies; default: nobody looks twice",
    )
    parser.add_argument("--ocr-provider", help="default: the setting OCR_PROVIDER")
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--baseline", type=Path, help="of an earlier run over the same files")
    parser.add_argument(
        "--strict", action="store_true", help="a single value lost is worse, even where another was won"
    )
    parser.add_argument("--write-baseline", type=Path, help="keep this run as the baseline of later ones")
    parser.add_argument("--schools", type=Path, help="school list (CSV); default: none, as for an unknown office")
    parser.add_argument(
        "--policy",
        type=Path,
        help="rules of a season, as `flask labels export` writes them; default: the settings",
    )
    parser.add_argument("--cache-dir", type=Path, help="keep recognised pages here; default: forget them")
    return parser


if __name__ == "__main__":
    sys.exit(main())
