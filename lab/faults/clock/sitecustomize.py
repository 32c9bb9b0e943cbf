"""On the path of programs whose clock is shifted: libfaketime has `time.sleep` fail, and waiting for files not."""

from __future__ import annotations

import select
import time
from typing import SupportsIndex


def _sleep(seconds: float | SupportsIndex, /) -> None:
    select.select([], [], [], max(0.0, float(seconds)))


time.sleep = _sleep
