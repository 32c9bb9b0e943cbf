"""Whole pages by people who had not seen the labeller: what stands above, in and below an essay, with slots."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pipeline.extraction.labelling.roles import Role
from scripts.headers.facts import Facts
from scripts.headers.flow import Flow, one
from scripts.headers.items import filled
from scripts.headers.traces import Page

_WORDS = Path(__file__).parent / "words"
#: A line of its own between two pages, and the line that stands for the essay.
_BETWEEN, _ESSAY = "====", "{body}"


@cache
def pages(spanish: bool) -> tuple[tuple[str, str], ...]:
    """What stands above the essay, its own line feeds with it, and what stands below, of each page."""
    name = "pages_spanish.txt" if spanish else "pages_english.txt"
    texts = (_WORDS / name).read_text(encoding="utf-8").split(f"\n{_BETWEEN}\n")
    parted = (f"\n{text.rstrip(chr(10))}\n".partition(f"\n{_ESSAY}\n") for text in texts)
    return tuple((above[1:] + "\n" if above else "", below.rstrip("\n")) for above, _, below in parted)


def whole_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """One of the pages, whichever fields it tells."""
    above, below = facts.rng.choice(pages(facts.spanish))
    top = filled(facts, above.rstrip("\n"))
    breaks = above[len(above.rstrip("\n")) :]
    runs_on = bool(top) and top[-1].role is Role.BODY and facts.rng.random() < 0.6
    return top + one(" " if runs_on else breaks, Role.OTHER), body, filled(facts, f"\n{below}") if below else []
