"""Holds on proposals and escalations. Taking a hold again prolongs it, which serves as heartbeat."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import Field

from core.errors import HeldError
from services.messages.conflict import Conflict
from services.review.hold import Hold, Kind, release_hold, take_hold
from web.api.protocol.operation import operation
from web.api.protocol.wire import Shown
from web.context import get_context, get_person


class HoldShape(Shown):
    """This person's hold."""

    item_id: uuid.UUID
    version: int = Field(description="The item's, which a decision has to name.")
    until: datetime = Field(description="When it ends unless it is taken again.")


@operation(
    "PUT",
    "/suggestions/<uuid:suggestion_id>/claim",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    answer=HoldShape,
    problems=(409,),
)
def hold_proposal(suggestion_id: uuid.UUID) -> Hold:
    """Hold a proposal, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take("suggestion", suggestion_id)


@operation(
    "DELETE",
    "/suggestions/<uuid:suggestion_id>/claim",
    tag="suggestions",
    rule="reviewer",
    scope="write",
    answer=None,
)
def release_proposal(suggestion_id: uuid.UUID) -> None:
    """Release the hold on a proposal.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "suggestion", suggestion_id)


@operation(
    "PUT",
    "/escalations/<uuid:escalation_id>/claim",
    tag="escalations",
    rule="reviewer",
    scope="write",
    answer=HoldShape,
    problems=(409,),
)
def hold_escalation(escalation_id: uuid.UUID) -> Hold:
    """Hold an escalation, or prolong the hold.

    409 says who holds it or who decided it.
    """
    return take("escalation", escalation_id)


@operation(
    "DELETE",
    "/escalations/<uuid:escalation_id>/claim",
    tag="escalations",
    rule="reviewer",
    scope="write",
    answer=None,
)
def release_escalation(escalation_id: uuid.UUID) -> None:
    """Release the hold on an escalation.

    It is no error if there is none.
    """
    release_hold(get_context(), get_person().id, "escalation", escalation_id)


def take(kind: Kind, item_id: uuid.UUID) -> Hold:
    """Take and return this person's hold. Raises HeldError if another person holds the item."""
    standing = take_hold(get_context(), get_person().id, kind, item_id)
    if not standing.mine:
        raise HeldError(Conflict.OPEN_ELSEWHERE, who=standing.holder_name, item=kind)
    return standing
