"""Message codes of replays that are not possible."""

from __future__ import annotations

from core.messages import MessageCode


class ReplayRefused(MessageCode):
    """Why a run cannot be replayed."""

    NO_STEPS = "replay_no_steps", "The log has no step of this run: there is nothing to compare with."
    NO_READING = "replay_no_reading", "What was read in this run is no longer kept, so it cannot be replayed."
    NO_SUCH_STEP = "replay_no_such_step", "This run has no step %(name)s; it has %(choices)s."
    NO_MODEL = "replay_no_model", "No language model is set up that could be asked."
