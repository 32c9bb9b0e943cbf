"""On the path of programs whose clock is shifted: libfaketime has `time.sleep` fail, and waiting for files not."""

from __future__ import annotations

import select
import time


def _sleep(seconds: float) -> None:
    select.select([], [], [], max(0.0, seconds))


time.sleep = _sleep
