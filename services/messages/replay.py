"""Message codes of replays, and what they are made from; pages load them without a graph."""

from __future__ import annotations

from core.labels import LabelledEnum
from core.messages import MessageCode


class ReplayRefused(MessageCode):
    """Why a run cannot be replayed."""

    NO_STEPS = "replay_no_steps", "The log has no steps for this run, so there is nothing to compare with."
    NO_READING = "replay_no_reading", "What was read in this run is no longer kept, so it cannot be replayed."
    NO_SUCH_STEP = "replay_no_such_step", "This run has no step %(name)s; it has %(choices)s."
    NO_MODEL = "replay_no_model", "No language model is set up."


class ReplaySource(LabelledEnum):
    """What a replay was made from."""

    CHECKPOINTS = "checkpoints", "the checkpoints of the run"
    STORED_READING = "stored_reading", "the stored reading of the run"
    FIELDS = "fields", "the fields of the entry as they are now"
