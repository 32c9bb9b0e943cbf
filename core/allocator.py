"""The C library's memory allocator."""

from __future__ import annotations

import ctypes
import platform

#: mallopt(3), M_MMAP_THRESHOLD.
_MMAP_THRESHOLD = -3
_LARGE = 1 << 20


def return_large_blocks() -> None:
    """Have blocks of a megabyte and more returned to the system as soon as they are freed.

    By default the GNU C library raises this threshold up to 32 MB, and freed page pictures then leave holes in
    the heap that are never reused. Does nothing with other C libraries.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def return_freed_memory() -> None:
    """Return what is free within the heap to the system. Does nothing with other C libraries than GNU's."""
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)
