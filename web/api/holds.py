"""Claims: who has an item open. Taken again, a claim is prolonged: that is the heartbeat."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import Field

from core.errors import HeldError
from services.messages.conflict import Conflict
from services.review.hold import Claim, Kind, claim, release_claim
from web.api.protocol.operation import operation
from web.api.protocol.wire import Shown
from web.context import get_context, get_person


class ClaimShape(Shown):
    """The claim of this person."""

    item_id: uuid.UUID
    version: int = Field(description="The item's, which a decision has to name.")
    until: datetime = Field(description="When it ends unless it is taken again.")


@operation(
    "PUT",
    "/suggestions/<uuid:suggestion_id>/claim",
    tag="suggestions",
    rule="reviewer",
    answer=ClaimShape,
    problems=(409,),
)
def claim_proposal(suggestion_id: uuid.UUID) -> Claim:
    """Claim a proposal, or prolong one's claim.

    409 says who has it open, or who decided it.
    """
    return claimed("suggestion", suggestion_id)


@operation("DELETE", "/suggestions/<uuid:suggestion_id>/claim", tag="suggestions", rule="reviewer", answer=None)
def release_proposal(suggestion_id: uuid.UUID) -> None:
    """Give one's claim on a proposal back.

    Nothing happens where there is none.
    """
    release_claim(get_context(), get_person().id, "suggestion", suggestion_id)


@operation(
    "PUT",
    "/escalations/<uuid:escalation_id>/claim",
    tag="escalations",
    rule="reviewer",
    answer=ClaimShape,
    problems=(409,),
)
def claim_escalation(escalation_id: uuid.UUID) -> Claim:
    """Claim an escalation, or prolong one's claim.

    409 says who has it open, or who decided it.
    """
    return claimed("escalation", escalation_id)


@operation("DELETE", "/escalations/<uuid:escalation_id>/claim", tag="escalations", rule="reviewer", answer=None)
def release_escalation(escalation_id: uuid.UUID) -> None:
    """Give one's claim on an escalation back.

    Nothing happens where there is none.
    """
    release_claim(get_context(), get_person().id, "escalation", escalation_id)


def claimed(kind: Kind, item_id: uuid.UUID) -> Claim:
    """This person's claim. Raises HeldError where somebody else's stands."""
    standing = claim(get_context(), get_person().id, kind, item_id)
    if not standing.mine:
        raise HeldError(Conflict.OPEN_ELSEWHERE, who=standing.holder_name, item=kind)
    return standing
