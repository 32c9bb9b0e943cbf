"""How good the proposals of the review agent are: what they find, whether it is right, whether it does harm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.regression.prediction import Offered
from scripts.regression.scoring.compare import Verdict, verdict
from scripts.regression.scoring.score import HEADLINE, EntryScore


@dataclass(frozen=True)
class Case:
    """One required field for which the first reading had no value or one that needs a person."""

    field: str
    #: Whether the page says it.
    is_written: bool
    #: Verdict on the first reading.
    first: Verdict
    #: Verdict on the value that is chosen for the person; None where none is.
    chosen: Verdict | None
    #: Verdict on a value that is shown but not chosen; None where there is none.
    shown: Verdict | None
    #: Whether the chosen value is another one than the value that was read.
    changes: bool

    @property
    def is_empty(self) -> bool:
        """Whether the first reading had no value."""
        return self.first in (Verdict.MISSED, Verdict.EMPTY)

    @property
    def is_harmful(self) -> bool:
        """Whether a right value would be replaced by another."""
        return self.first is Verdict.RIGHT and self.changes and self.chosen is not Verdict.RIGHT


def cases(entries: Iterable[EntryScore]) -> list[Case]:
    """Return the name, school and grade of each entry that were missing, weak or proposed for."""
    return [case for entry in entries for case in _cases(entry)]


def proposal_figures(found: Sequence[Case]) -> dict[str, Any]:
    """Counts and shares of all cases, of the empty and the doubtful ones, and by field."""
    return {
        **_figures(found),
        "empty": _figures([case for case in found if case.is_empty]),
        "doubtful": _figures([case for case in found if not case.is_empty]),
        "by_field": {name: _figures([case for case in found if case.field == name]) for name in HEADLINE},
    }


def _figures(found: Sequence[Case]) -> dict[str, Any]:
    written = [case for case in found if case.is_written]
    chosen = [case for case in found if case.chosen is not None]
    right = sum(case.chosen is Verdict.RIGHT for case in chosen)
    read_right = sum(case.first is Verdict.RIGHT for case in found)
    harmful = sum(case.is_harmful for case in found)
    shown = [case.shown for case in found if case.shown is not None]
    return {
        "missing": len(written),
        "proposed": len(chosen),
        "right": right,
        "changed": sum(case.changes for case in chosen),
        "rate": _share(sum(case.chosen is not None for case in written), len(written)),
        "precision": _share(right, len(chosen)),
        "read_right": read_right,
        "harmful": harmful,
        "harmful_share": _share(harmful, read_right),
        "shown_only": len(shown),
        "shown_only_right": shown.count(Verdict.RIGHT),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _cases(entry: EntryScore) -> Iterator[Case]:
    prediction = entry.prediction
    if prediction is None or entry.passed:
        return
    wanting = {*prediction.missing_fields, *prediction.weak_fields, *prediction.offered}
    for name in (name for name in HEADLINE if name in wanting):
        offered = prediction.offered.get(name, Offered(getattr(prediction, name), None, "neither"))
        chosen = offered.chosen
        yield Case(
            field=name,
            is_written=entry.truth is not None and entry.truth.get(name) is not None,
            first=_judged(entry, name, offered.as_read),
            chosen=_judged(entry, name, chosen) if chosen else None,
            shown=_judged(entry, name, offered.proposed) if offered.proposed and not chosen else None,
            changes=chosen is not None and chosen != offered.as_read,
        )


def _judged(entry: EntryScore, name: str, value: str | None) -> Verdict:
    """Every value of an entry that does not exist is invented."""
    return verdict(name, entry.truth or {}, value)
