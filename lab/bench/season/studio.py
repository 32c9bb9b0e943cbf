"""A form described in the studio: how much of its held-out copies is read right, and what is wrong unseen."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.bench.measure import Measure, at_least, measured
from lab.bench.office import offices
from lab.bench.season.camp_marks import BLANK, marked_form
from lab.bench.season.camp_reading import Read, read_files, right_share
from lab.samples.camp.collection import blank_forms, draw_half
from lab.samples.camp.damage import KINDS
from pipeline.profiles import FieldKind, FormSpec
from services.context import Context
from services.forms.versions import form_version, save_version

#: Of the held-out half: nothing was tuned on it.
HALF = "held_out"


def measure() -> tuple[list[Measure], list[dict[str, Any]]]:
    """Describe the form from its blank, save it, and read the held-out copies with what was saved."""
    with offices("studio", 1) as (office,), tempfile.TemporaryDirectory(prefix="bench-studio-") as folder:
        profile = saved_form(office.context)
        labels = {}
        for one in draw_half(HALF):
            (Path(folder) / one.name).write_bytes(one.data)
            labels[one.name] = one.label()
        print(f"reading {len(labels)} copies of a form from the studio …", file=sys.stderr)
        reads = read_files(Path(folder), labels, profile, Path(folder) / "cache")
    return _measures(reads), [_by_damage(reads), _by_kind(reads, profile)]


def saved_form(context: Context) -> FormSpec:
    """Save the machine's first marks on the empty form, corrected, and return the form that is then in use."""
    blank = blank_forms()[BLANK]
    profile = marked_form(blank, context.settings, context.store)
    save_version(context, None, profile, blank)
    return form_version(context, profile.key).profile


def _measures(reads: Sequence[Read]) -> list[Measure]:
    damaged = [one for one in reads if one.damage in KINDS]
    typed, by_hand = [one for one in damaged if one.typed], [one for one in damaged if not one.typed]
    how = (
        "required values that are right, of held-out copies in {} kinds of damage; the form was marked by the "
        "machine on its blank, corrected and saved; {} copies of {} required fields"
    )
    return [
        _share("studio_typed_right", typed, 0.95, how),
        _share("studio_hand_right", by_hand, 0.7, how),
        measured(
            "studio_completed",
            sum(one.completed for one in reads) / len(reads),
            "of 1",
            None,
            f"of {len(reads)} copies, undamaged ones among them, completed without a person and without an essay",
        ),
        measured(
            "studio_silent_wrong",
            sum(one.silent_wrong for one in reads),
            "entries",
            None,
            f"of {len(reads)} copies, completed without a person though a required value is wrong",
        ),
    ]


def _share(name: str, reads: Sequence[Read], bound: float, how: str) -> Measure:
    right, of = right_share(reads)
    told = how.format(len(KINDS), len(reads), of // max(len(reads), 1))
    return measured(name, right / max(of, 1), "of 1", at_least(bound), told)


def _by_damage(reads: Sequence[Read]) -> dict[str, Any]:
    kinds = dict.fromkeys(one.damage for one in reads)
    rows = [[kind, *_both([one for one in reads if one.damage == kind])] for kind in kinds]
    return {
        "title": "Form of the studio: required values right, by damage",
        "columns": ["damage", "typed", "by hand"],
        "rows": rows,
    }


def _by_kind(reads: Sequence[Read], profile: FormSpec) -> dict[str, Any]:
    damaged = [one for one in reads if one.damage in KINDS]
    required = profile.required or ()
    kinds: dict[FieldKind, list[str]] = {}
    for name in required:
        kinds.setdefault(profile.fields[name].kind, []).append(name)
    rows = [[kind.value, *_both(damaged, names)] for kind, names in kinds.items()]
    return {
        "title": "Form of the studio: required values right in damaged copies, by kind of field",
        "columns": ["kind", "typed", "by hand"],
        "rows": rows,
    }


def _both(reads: Sequence[Read], fields: Sequence[str] | None = None) -> tuple[str, str]:
    """Return the shares of typed and of handwritten copies, as they are shown."""
    shares = [right_share([one for one in reads if one.typed is typed], fields) for typed in (True, False)]
    typed, by_hand = (f"{right} of {of}" if of else "" for right, of in shares)
    return typed, by_hand
