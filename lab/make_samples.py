"""Draw a corpus of invented entries with their true values as labels.

    .venv/bin/python lab/make_samples.py --out DIR --entries N --seed S [--part held_out] [--kinds NAME …]
    .venv/bin/python lab/make_samples.py --out samples --demo
    .venv/bin/python lab/make_samples.py --out DIR --camp
    .venv/bin/python lab/make_samples.py --out DIR --entries FILES --page-truth

With `--part both` two thirds of the entries go to DIR/development and one third to DIR/held_out, each with its own
labels and school list: tune on the first, judge by the second. `--camp` draws another form altogether, empty and
filled in, in the same two parts; `--page-truth` files whose bytes and pages say two things.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.samples.camp.collection import write_camp
from lab.samples.corpus import KINDS, draw_corpus, write_corpus
from lab.samples.demo_set import draw_demo_set
from lab.samples.hand.fonts import FontsMissingError
from lab.samples.part import PARTS
from lab.samples.sets.page_truth import draw_page_truth


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and draw."""
    options = _parser().parse_args(arguments)
    try:
        if options.demo:
            print(f"{write_corpus(options.out, draw_demo_set())} entries in {options.out}")
            return 0
        if options.camp:
            print(f"{write_camp(options.out, options.seed)} copies and the empty form in {options.out}")
            return 0
        for folder, name, entries in _shares(options.out, options.part, options.entries):
            if options.page_truth:
                drawn = draw_page_truth(PARTS[name], options.seed, entries)
            else:
                drawn = draw_corpus(entries, options.seed, frozenset(options.kinds or ()), PARTS[name])
            print(f"{write_corpus(folder, drawn, PARTS[name])} entries in {folder}")
    except FontsMissingError as exc:
        print(exc, file=sys.stderr)
        return 2
    return 0


def _shares(out: Path, part: str, entries: int) -> list[tuple[Path, str, int]]:
    """Folder, part and number of entries of each part that is wanted."""
    if part != "both":
        return [(out, part, entries)]
    held_out = entries // 3
    return [(out / "development", "development", entries - held_out), (out / "held_out", "held_out", held_out)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Draw a corpus of invented entries with labels.")
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    parser.add_argument("--entries", type=int, default=70, help="about how many entries")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other people, schools and essays")
    parser.add_argument("--part", choices=(*PARTS, "both"), default="development")
    parser.add_argument("--kinds", nargs="*", choices=[kind.name for kind in KINDS], help="only these kinds")
    parser.add_argument(
        "--camp", action="store_true", help="a summer camp's registration form, empty and filled in"
    )
    parser.add_argument(
        "--page-truth", action="store_true", help="files whose bytes and pages say two things, about so many"
    )
    parser.add_argument("--demo", action="store_true", help="the small set that is committed in samples/")
    return parser


if __name__ == "__main__":
    sys.exit(main())
