"""The table that is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scripts.regression.scoring.figures import COUNTED


def table(title: str, summary: Mapping[str, Any], wall_seconds: float) -> str:
    """Fields, split, review and time; proposals; then one line a kind."""
    return "\n".join(
        (
            f"== {title}: {summary['files']} files, {summary['entries']} entries ==",
            *_field_lines(summary["fields"], summary["evidence"]),
            "",
            *_headline(summary, wall_seconds),
            "",
            *_proposal_lines(summary["proposals"]),
            "",
            *_group_lines("kind", summary["by_kind"]),
            "",
            *_group_lines("written", summary["by_writing"]),
            *(["", *_group_lines("part", summary["by_part"])] if summary["by_part"] else ()),
        )
    )


def _field_lines(fields: Mapping[str, Mapping[str, int]], evidence: Mapping[str, Mapping[str, Any]]) -> list[str]:
    head = f"{'field':<20}" + "".join(f"{kind.value:>10}" for kind in COUNTED) + f"{'in place':>10}"
    rows = [
        f"{name:<20}"
        + "".join(f"{counts[kind.value]:>10}" for kind in COUNTED)
        + f"{_percent(evidence.get(name, {}).get('share')):>10}"
        for name, counts in fields.items()
    ]
    return [head, *rows]


def _headline(summary: Mapping[str, Any], wall_seconds: float) -> list[str]:
    rows = (
        ("name + school + grade all right", _of(summary, "three_right", "entries")),
        ("the same as a reviewer finds them", _of(summary, "as_found", "entries")),
        *(
            (
                f"the two readers: {agreement}",
                "{values}, the first right in {first_right}, the second in {second_right}".format(**group),
            )
            for agreement, group in sorted(summary["second_reader"].items())
        ),
        ("files split right", _of(summary, "split_right", "files")),
        (
            "passed without review",
            f"{summary['passed_without_review']}, of these wrong: {summary['silent_wrong']}",
        ),
        ("wrong or invented values on these", str(summary["bad_values_on_passed"])),
        ("complete typed, passed", _of(summary, "complete_typed_passed", "complete_typed")),
        ("wrong or invented", f"{_percent(summary['wrong_or_invented_share'])} of the values given"),
        ("essay words within range", _of(summary, "essay_words_in_range", "essays")),
        ("calibration error of confidence", _percent(summary["reliability"]["expected_calibration_error"])),
        ("outcomes", ", ".join(f"{name} {count}" for name, count in summary["outcomes"].items())),
        ("files that could not be read", str(summary["errors"])),
        ("time", f"{wall_seconds:.1f} s, reading {summary['seconds']:.1f} s"),
    )
    return [f"{name:<36}{text}" for name, text in rows]


def _proposal_lines(figures: Mapping[str, Any]) -> list[str]:
    """What was proposed for name, school and grade: by what was missing, and by field."""
    columns = ("missing", "rate", "proposed", "right", "harmful")
    head = f"{'proposals':<20}" + "".join(f"{name:>10}" for name in columns)
    groups = {"all": figures, "empty": figures["empty"], "doubtful": figures["doubtful"], **figures["by_field"]}
    return [head, *(_proposal_line(name, group) for name, group in groups.items())]


def _proposal_line(name: str, group: Mapping[str, Any]) -> str:
    return (
        f"{name:<20}{group['missing']:>10}{_percent(group['rate']):>10}{group['proposed']:>10}"
        f"{_percent(group['precision']):>10}{group['harmful']:>10}"
    )


def _of(summary: Mapping[str, Any], part: str, whole: str) -> str:
    return f"{summary[part]}/{summary[whole]}  {_percent(summary[f'{part}_share'])}"


def _group_lines(title: str, groups: Mapping[str, Mapping[str, Any]]) -> list[str]:
    head = f"{title:<40}{'entries':>8}{'3 right':>9}{'split':>8}{'passed':>8}{'wrong':>7}{'s/entry':>9}"
    return [head, *(_group_line(name, figures) for name, figures in groups.items())]


def _group_line(name: str, figures: Mapping[str, Any]) -> str:
    seconds = f"{figures['seconds'] / max(1, figures['entries']):.2f}" if "seconds" in figures else "-"
    return (
        f"{name:<40}{figures['entries']:>8}{_percent(figures['three_right_share']):>9}"
        f"{_percent(figures.get('split_right_share')):>8}{figures['passed_without_review']:>8}"
        f"{figures['silent_wrong']:>7}{seconds:>9}"
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
