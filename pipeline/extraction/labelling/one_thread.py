"""Limit NumPy's linear algebra to one thread."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np


def use_one_thread() -> None:
    """Have NumPy's own OpenBLAS use one thread in this process.

    A worker reads one page at a time and there are as many workers as cores; the labeller's matrices are so small
    that threads wait for each other longer than they count. Does nothing where NumPy has another library.
    """
    for library in Path(np.__file__).parent.with_name("numpy.libs").glob("libscipy_openblas64_*"):
        ctypes.CDLL(str(library)).scipy_openblas_set_num_threads64_(1)
