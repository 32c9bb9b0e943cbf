"""How often the machine is right when nobody looks, and what another threshold would do."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template, request
from flask.typing import ResponseReturnValue

from services.trust.reliability import Bin, calibration_error
from services.trust.trust_view import trust_view
from web.access import access
from web.admin import blueprint
from web.context import get_context

#: Precisions that a threshold is proposed for.
WANTED = (0.98, 0.99, 0.995)
_SIZE = 240.0


@dataclass(frozen=True)
class Dot:
    """One bin of a reliability diagram, in the units of its SVG: the dot and its interval."""

    x: float
    y: float
    low: float
    high: float
    radius: float


@blueprint.get("/trust")
@access("overseer")
def trust() -> ResponseReturnValue:
    """Show precision, calibration, drift, and the forecast for the threshold of the address."""
    view = trust_view(
        get_context(),
        _share(request.args.get("threshold")),
        _share(request.args.get("wanted")) or WANTED[-1],
    )
    return render_template(
        "admin/trust.html",
        view=view,
        wanted_choices=WANTED,
        size=_SIZE,
        diagrams=[(found, calibration_error(found), dots(found)) for found in (view.by_audits, view.by_reviewers)],
    )


def dots(found: list[Bin]) -> list[Dot]:
    """Return the bins as dots; confidence goes to the right, the share right upwards."""
    return [
        Dot(
            _SIZE * one.confidence,
            _SIZE * (1 - (one.right.value or 0.0)),
            _SIZE * (1 - one.right.interval.low),
            _SIZE * (1 - one.right.interval.high),
            3 + 7 * one.weight**0.5,
        )
        for one in found
    ]


def _share(given: str | None) -> float | None:
    """Return a share of the address, 0-1 or in per cent; None for what is none."""
    try:
        share = float((given or "").replace(",", "."))
    except ValueError:
        return None
    share = share / 100 if share > 1 else share
    return share if 0 < share <= 1 else None
