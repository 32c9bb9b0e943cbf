"""Describe a gap as a message: its type gives the code, its fields give the parameters."""

from __future__ import annotations

from core.labels import declare_labels
from core.messages import Message, MessageCode
from core.saying import say
from research.memo.types import Gap
from research.questions.field_names import field_label

#: The topic of the gap for too few publishers.
DIVERSE_SOURCES = "diverse_sources"
declare_labels(("catalog_fields",), field_label)


class GapCode(MessageCode):
    """Messages on what is still to be found out."""

    FIELDS_MISSING = "gap_fields_missing", "%(candidate)s: %(catalog_fields)s"
    FIELDS_WEAK = "gap_fields_weak", "%(candidate)s, limited evidence: %(catalog_fields)s"
    CANDIDATES_MISSING = "gap_candidates_missing", "Candidates: %(have)s found, %(wanted)s needed"
    PUBLISHERS_MISSING = ("gap_publishers_missing", "Independent publishers: %(have)s found, %(wanted)s needed")
    TOPIC_MISSING = "gap_topic_missing", "Nothing yet on: %(topic)s"


def gap_message(gap: Gap) -> Message | None:
    """Return the gap as a message; None if only its description states it."""
    if gap.candidate_name and gap.missing_fields:
        code = GapCode.FIELDS_WEAK if gap.gap_type == "weak_evidence" else GapCode.FIELDS_MISSING
        return Message.of(code, candidate=gap.candidate_name, catalog_fields=list(gap.missing_fields))
    if gap.have is not None and gap.wanted is not None:
        few = gap.missing_topic == DIVERSE_SOURCES
        code = GapCode.PUBLISHERS_MISSING if few else GapCode.CANDIDATES_MISSING
        return Message.of(code, have=gap.have, wanted=gap.wanted)
    if gap.missing_topic and gap.missing_topic != DIVERSE_SOURCES:
        return Message.of(GapCode.TOPIC_MISSING, topic=gap.missing_topic.replace("_", " "))
    return None


def gap_in_english(gap: Gap) -> str:
    """Return the gap in English for a model: its description, else the message made from its fields."""
    message = gap_message(gap)
    return gap.description or (say(message) if message else gap.gap_type)
