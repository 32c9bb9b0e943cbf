"""What waits on the queues."""

from __future__ import annotations

from redis import Redis

from core.queue import open_queues


def queue_depth(redis: Redis) -> int:
    """Return the number of waiting jobs on all queues."""
    return sum(int(queue.count) for queue in open_queues(redis))
