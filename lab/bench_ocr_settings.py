"""Try RapidOCR's own settings side by side.

    .venv/bin/python lab/bench_ocr_settings.py [--reuse]

Writes docs/benchmarks/ocr_settings.json and docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.reading.corpora import DEVELOPMENT, corpus_of
from lab.bench.reading.ocr_settings import table
from lab.bench.results import write_results


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, draw what is read, try, write."""
    parser = argparse.ArgumentParser(description="Try RapidOCR's own settings side by side.")
    parser.add_argument("--reuse", action="store_true", help="read the corpus that an earlier run has drawn")
    options = parser.parse_args(arguments)
    write_results("ocr_settings", [], [table(corpus_of(DEVELOPMENT, options.reuse))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
