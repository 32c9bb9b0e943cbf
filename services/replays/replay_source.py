"""What replays are made from, for pages that load no graph."""

from __future__ import annotations

from core.labels import LabelledEnum


class ReplaySource(LabelledEnum):
    """What a replay was made from."""

    CHECKPOINTS = "checkpoints", "the checkpoints of the run"
    STORED_READING = "stored_reading", "the stored reading of the run"
    FIELDS = "fields", "the fields of the entry as they are now"
