"""Draw a corpus of invented entries with their true values as labels.

.venv/bin/python scripts/make_samples.py --out DIR --entries N --seed S [--kinds acroform_26 …]
    .venv/bin/python scripts/make_samples.py --out samples --demo
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.samples.corpus import KINDS, draw_corpus, write_corpus
from scripts.samples.demo_set import draw_demo_set
from scripts.samples.fonts import FontsMissingError


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description="Draw a corpus of invented entries with labels.")
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    parser.add_argument("--entries", type=int, default=70, help="about how many entries")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other people, schools and essays")
    parser.add_argument("--kinds", nargs="*", choices=[kind.name for kind in KINDS], help="only these kinds")
    parser.add_argument("--demo", action="store_true", help="the small set that is committed in samples/")
    options = parser.parse_args(arguments)
    kinds = frozenset(options.kinds or ())
    drawn = draw_demo_set() if options.demo else draw_corpus(options.entries, options.seed, kinds)
    try:
        count = write_corpus(options.out, drawn)
    except FontsMissingError as exc:
        print(exc, file=sys.stderr)
        return 2
    print(f"{count} entries in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
