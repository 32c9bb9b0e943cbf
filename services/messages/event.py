"""Message codes of the machine's explanations of events in the audit trail."""

from __future__ import annotations

from core.messages import MessageCode


class EventReason(MessageCode):
    """Why an entry was changed."""

    MADE_BY_SPLIT = "made_by_split", "Created by correcting how a file was split."
    SPLIT_CORRECTED = "split_corrected", "The way the file was split was corrected."
    SPLIT_TAKEN_BACK = "split_taken_back", "The correction of the split was undone."
    ASKED_FOR = ("asked_for", "To be asked for: %(fields)s. If there is no answer, it comes back on %(date)s.")
    PARKED_UNTIL = "parked_until", "It comes back on %(date)s."
    CARRIED_OVER = "carried_over", "Earlier decisions were kept: %(fields)s."
    JOINED = "joined", "Joined with its other half into one entry."
    AMONG_MANY = "changed_among_many", "Changed in a bulk edit."
    READING_TAKEN_BACK = "reading_taken_back", "The values accepted from a new reading were undone."
    PAIR_DECIDED = "pair_decided", "Compared with another entry: %(pair_decision)s."
    OTHER_KEPT = "other_kept", "Another entry was kept instead of this one."
    UNDID = "undid", "Undone: %(decision_kind)s."
