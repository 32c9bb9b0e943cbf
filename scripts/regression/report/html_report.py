"""The report as one page that needs no other file: tables, the reliability curve, a picture of every error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scripts.regression.pool import digest
from scripts.regression.report.error_cards import ErrorCard, cards

_TEMPLATES = Path(__file__).resolve().parent / "templates"


def write_html(path: Path, report: Mapping[str, Any], files: Sequence[Path]) -> None:
    """Write the page. Errors are those of the report's first mode; `files` are the originals."""
    mode, run = next(iter(report["modes"].items()))
    errors, splits = cards(run["files"], {digest(file): file for file in files})
    text = (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            mode=mode,
            run=run,
            summary=run["summary"],
            errors=_by_kind(errors),
            error_count=len(errors),
            splits=splits,
            unread=[file for file in run["files"] if file["error"]],
            css=Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8")),
        )
    )
    path.write_text(text, encoding="utf-8")


def _by_kind(errors: Sequence[ErrorCard]) -> list[tuple[str, list[ErrorCard]]]:
    """Errors by kind of file; inside, the order stays."""
    ordered = sorted(errors, key=lambda card: str(card.file["kind"]))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda card: str(card.file["kind"]))]


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    environment.filters["words"] = lambda name: str(name).replace("_", " ")
    return environment


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"
