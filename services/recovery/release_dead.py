"""Give back what a dead process of this machine held, so that the queue's own retry finds it free."""

from __future__ import annotations

from sqlalchemy import update

from core.lease import process_name
from services.context import Context
from services.recovery.kinds import ALL


def release_dead(context: Context, pid: int) -> int:
    """End every lease of the process that had this id on this machine; how many there were.

    The caller knows that the process is dead.
    """
    names = process_name(pid).rpartition(":")[0]
    found = 0
    with context.database.session() as session:
        for leases in {work.leases for work in ALL if work.leases is not None}:
            ended = session.scalars(
                update(leases.row)
                .where(leases.owner.startswith(f"{names}:", autoescape=True))
                .values(**leases.ended)
                .returning(leases.key)
            )
            found += len(ended.all())
    return found
