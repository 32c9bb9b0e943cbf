"""PyMuPDF without the layout analysis that it would load: `from core.confined.mupdf import pymupdf`.

PyMuPDF 2 imports two more packages when it is imported, one of which loads neural networks that tell headings from
tables. Nothing here asks for them, and every process would pay: two thirds of the time of the import and 50 MB.
"""

from __future__ import annotations

import sys
from typing import Any, cast

# What PyMuPDF cannot import it goes without; None makes an import raise ImportError (see `sys.modules`).
for _unwanted in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unwanted, cast(Any, None))

import pymupdf as pymupdf  # noqa: E402
