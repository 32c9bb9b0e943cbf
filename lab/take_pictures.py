"""Take the pictures of `docs/pages.md` and write its table of pages.

    .venv/bin/python lab/take_pictures.py [--url http://127.0.0.1:5000] [--only desk,proposal]

Without --url it starts a demo on a folder of its own and waits until its samples are read. A page that there is
not is named and left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, Error, sync_playwright

from lab.bench.chromium import chromium
from lab.pictures.demo import demo, wait_until_read
from lab.pictures.feature import Feature
from lab.pictures.features import FEATURES
from lab.pictures.material import ask_for_export, ask_for_report, describe_form, start_supervision
from lab.pictures.table import IMAGES, write_table
from lab.pictures.take import signed_in, take


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, take the pictures, write the table. Returns 1 where a page was missing."""
    options = _parser().parse_args(arguments)
    names = set(options.only.split(",")) if options.only else {feature.name for feature in FEATURES}
    if unknown := names - {feature.name for feature in FEATURES}:
        print(f"unknown: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    chosen = [feature for feature in FEATURES if feature.name in names]
    IMAGES.mkdir(parents=True, exist_ok=True)
    with nullcontext(options.url) if options.url else demo() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        missing = _taken(browser, address.rstrip("/"), chosen, fill=not options.url)
        browser.close()
    write_table()
    for name in missing:
        print(f"no such page yet: {name}", file=sys.stderr)
    return 1 if missing else 0


def _taken(browser: Browser, address: str, features: Sequence[Feature], fill: bool) -> list[str]:
    if fill:
        print("the samples are being read …", file=sys.stderr)
        for role, prepare in (
            ("officer", start_supervision),
            ("officer", ask_for_report),
            ("reviewer", ask_for_export),
            ("admin", describe_form),
        ):
            with signed_in(browser, address, role) as page:
                try:
                    prepare(page)
                except Error as error:
                    print(f"{prepare.__name__}: {error.message.splitlines()[0]}", file=sys.stderr)
        wait_until_read(address)
    return take(browser, address, features, IMAGES)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Take the pictures of docs/pages.md.")
    parser.add_argument("--url", help="a site that runs already, with the demo's accounts")
    parser.add_argument("--only", help="names of features, separated by commas")
    return parser


if __name__ == "__main__":
    sys.exit(main())
