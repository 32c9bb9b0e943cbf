"""Entries that a person has chosen: ticked ones, else those of a filter."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from services.entries.submission_filter import SubmissionFilter
from web.submission_filter import wanted_submissions


@dataclass(frozen=True)
class Chosen:
    """What was chosen. Where entries were ticked, the filter is that of the list that they stood in."""

    ids: tuple[uuid.UUID, ...]
    wanted: SubmissionFilter
    #: Somebody wanted the ticked ones, and ticked none.
    nothing: bool


def chosen_submissions(given: MultiDict[str, str]) -> Chosen:
    """Read it from the parameters of an address or a form: `of` says whether the ticked ones or all are meant."""
    ticked = tuple(given.getlist("entry", type=uuid.UUID)) if given.get("of") == "ticked" else ()
    return Chosen(ticked, wanted_submissions(given), given.get("of") == "ticked" and not ticked)
