"""Large blocks go back to the system when they are freed."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

# A block of 20 MB raises the library's own limit when it is freed; blocks of 2 MB then come from the heap, where
# the ones that are kept hold the freed ones between them.
_PROGRAM = """
import sys, numpy as np
from core.confined.limits import return_large_blocks
if sys.argv[1] == "on":
    return_large_blocks()
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20
for _ in range(3):
    np.ones(20 << 20, np.uint8)
blocks = [np.ones(2 << 20, np.uint8) for _ in range(100)]
before = resident()
del blocks[::2]
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_freed_pictures_leave_no_holes() -> None:
    returned = {switch: _megabytes_returned(switch) for switch in ("on", "off")}
    assert returned["on"] >= 90 > 20 > returned["off"]


def _megabytes_returned(switch: str) -> int:
    program = [sys.executable, "-c", _PROGRAM, switch]
    return int(subprocess.run(program, capture_output=True, check=True).stdout)
