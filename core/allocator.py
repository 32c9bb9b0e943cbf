"""How the C library gives memory back."""

from __future__ import annotations

import ctypes
import platform

#: mallopt(3), M_MMAP_THRESHOLD.
_MMAP_THRESHOLD = -3
_LARGE = 1 << 20


def return_large_blocks() -> None:
    """Have blocks of a megabyte and more returned to the system as soon as they are freed.

    The GNU C library raises that limit to 32 MB by itself, and the pictures of pages then leave holes behind that
    nothing else fills. Other C libraries are left as they are.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
