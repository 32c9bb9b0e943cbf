"""Release the leases of a dead process of this machine, so that the queue's own retry can take them."""

from __future__ import annotations

from sqlalchemy import update

from core.lease import process_name
from services.context import Context
from services.recovery.kinds import ALL


def release_dead(context: Context, pid: int) -> int:
    """End all leases of the process with this id on this machine and return their number.

    The caller must make sure that the process is dead.
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
