"""Small limits of child processes, for tests whose files exceed them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.confined.children import use_limits
from core.confined.limits import ConfinedLimits


@contextmanager
def limited(memory_mb: int, seconds: float) -> Iterator[None]:
    """Have children keep to these limits, and to the usual ones afterwards."""
    use_limits(ConfinedLimits(memory_bytes=memory_mb << 20, seconds=seconds))
    try:
        yield
    finally:
        use_limits(ConfinedLimits())
