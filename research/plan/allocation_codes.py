"""Message codes on how an allocation of researchers was decided or why it was rejected."""

from __future__ import annotations

from core.labels import LabelledEnum
from core.messages import MessageCode


class KindOfSource(LabelledEnum, places=("kind", "other_kind")):
    """Kinds of sources and of researchers."""

    WEB = "web", "Web"
    ACADEMIC = "academic", "Academic"
    BOOK = "book", "Books"
    ESSAY = "essay", "Essays"
    OTHER = "other", "Other"


class AllocationCode(MessageCode):
    """Messages on the allocation of researchers."""

    ASKED_FOR = "allocation_asked_for", "Sent as asked for."
    BY_MODEL = "allocation_by_model", "Nobody asked for numbers; sent as the model chose."
    BY_MODEL_SCALED = (
        "allocation_by_model_scaled",
        "Nobody asked for numbers; the model chose %(chosen)s researchers, and at most %(most)s work at a time.",
    )
    BY_DEFAULT = "allocation_by_default", "Nobody chose: one of each kind."
    MODEL_UNUSABLE = "allocation_model_unusable", "The model's choice could not be used: one of each kind."
    HANDED_ON = (
        "allocation_handed_on",
        "%(kind)s: no source is at hand; researchers that look elsewhere instead (%(other_kind)s): %(count)s.",
    )
    NO_SOURCE = (
        "allocation_no_source",
        "%(kind)s: no source is at hand, nor is one of another kind; researchers that cannot work: %(count)s.",
    )
    NOT_TEXT = "allocation_not_text", "Researchers are written as text such as “210”."
    NOT_DIGITS = (
        "allocation_not_digits",
        "Researchers are three digits from 0 to 3, such as “210”, or one from 1 to 3; not “%(given)s”.",
    )
    OUT_OF_BOUNDS = (
        "allocation_out_of_bounds",
        "Between 1 and %(most)s researchers work at a time in all; this asks for %(total)s.",
    )
