"""What a run is told of an entry's pages: how they were split, and the forms to match them with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.models import Submission
from pipeline.profiles import Forms


def chunk_to_read(submission: Submission, options: Mapping[str, Any], forms: Forms) -> dict[str, Any]:
    """Return the split's metadata of the entry, with the form that a person chose, else those of the season."""
    chunk, profile = submission.chunk_metadata, options.get("profile")
    if chunk and profile:
        return {**chunk, "profile": profile, "forms": [profile]}
    return {**chunk, "forms": list(forms)} if chunk and forms else chunk
