"""Places header and essay on a page: above, at the end, as a footer, on a second page, in a mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from lab.headers.arrange import arranged, in_row
from lab.headers.body import draw_body, draw_intro
from lab.headers.facts import Facts
from lab.headers.flow import Flow, joined, one
from lab.headers.items import bare_items, labelled_items
from lab.headers.tops import draw_items, draw_order, draw_sentence, draw_top
from lab.headers.traces import Page, mail_page, second_page
from lab.headers.words import sentences
from pipeline.extraction.labelling.labeller import Role

_BREAKS: tuple[str, ...] = ("\n\n",) * 17 + ("\n",) * 7
_BREAKS += (
    "   ",
    "  ",
    " ",
    " ",
    " ",
    " ",
    " ",
    " - ",
    ". ",
    "\t",
    "    ",
    " / ",
    "\n\n\n",
    "\n\n\t",
    "\n\t",
    "\n    ",
    " — ",
)
_LEADING = frozenset(("by", "from", "love", "-", "--", "~", "essay by", "written by", "escrito por"))


def top_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """The given fields in a header above the essay."""
    return _broken(facts.rng, draw_top(facts, given)), body, []


def sentence_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """A sentence above the essay that tells some of the given fields."""
    return _broken(facts.rng, draw_sentence(facts, given)), body, []


def intro_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """The pupil tells name, school or grade in the essay; the header tells the rest, if anything."""
    rng = facts.rng
    intro = draw_intro(facts, facts.spanish, given - {"title"}) or []
    told = {piece.role.value for piece in intro}
    rest = given - told if rng.random() < 0.5 else given & {"title"} if rng.random() < 0.5 else set()
    top = _broken(rng, draw_top(facts, rest)) if rest else []
    first = joined([intro, body], " ", Role.BODY) if rng.random() < 0.8 else joined([body, intro], " ", Role.BODY)
    return top, first, []


def plain_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """No header, or only a title or the prompt."""
    rng = facts.rng
    top = draw_top(facts, given & {"title", "date"}) if rng.random() < 0.5 else []
    return _broken(rng, top), body, []


def signed_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """The fields under the essay, under a parting word or none."""
    rng = facts.rng
    title = one(facts.title, Role.TITLE) if "title" in given else []
    order = draw_order(rng, given - {"title"})
    items = bare_items(facts, order) if rng.random() < 0.75 else labelled_items(facts, order, [])
    bank = sentences.PARTINGS_SPANISH if facts.spanish else sentences.PARTINGS
    block = arranged(rng, items) if items else one(rng.choice(sentences.PET), Role.OTHER)
    if rng.random() < 0.65:
        word = rng.choice(bank)
        role = Role.LABEL if word.endswith((",", ":")) or word.lower() in _LEADING else Role.OTHER
        block = one(word + rng.choice(("\n", " ", "\n", "\n\n")), role) + block
    top = title
    if rng.random() < 0.15:
        # A set's own order differs from process to process.
        top = draw_top(facts, {field for field in sorted(given) if rng.random() < 0.5})
    return _broken(rng, top), body, one(rng.choice(("\n\n", "\n\n", "\n", "\n\n\n", "  ")), Role.OTHER) + block


def footer_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """The fields in one line at the foot of the page, with the number of the page."""
    rng = facts.rng
    title = one(facts.title, Role.TITLE) if "title" in given and rng.random() < 0.7 else []
    items = draw_items(facts, given - {"title"})
    if rng.random() < 0.5:
        items.append(
            one(rng.choice(("1", "p. 1", "1/2", "pg 1", "Page 1", "page 1 of 2", "pág. 1", "- 1 -")), Role.OTHER)
        )
    return _broken(rng, title), body, one("\n\n", Role.OTHER) + in_row(rng, items or [one("1", Role.OTHER)])


PAGES: dict[Callable[[Facts, set[str], Flow], Page], float] = {
    top_page: 66,
    sentence_page: 8,
    intro_page: 7,
    plain_page: 7,
    signed_page: 6,
    footer_page: 3.5,
    second_page: 3,
    mail_page: 2,
}


def draw_page(facts: Facts, spanish: bool, given: set[str]) -> Page:
    """A page of an essay in Spanish or English."""
    rng = facts.rng
    place = rng.choices(list(PAGES), weights=list(PAGES.values()))[0]
    ends = place in (signed_page, footer_page)
    writer = replace(facts, spanish=spanish)
    body = draw_body(writer, spanish, rng.randint(1, 4) if ends else rng.randint(5, 9))
    return place(writer if place is intro_page else facts, given, body)


def _broken(rng: Random, top: Flow) -> Flow:
    return top + one(rng.choice(_BREAKS), Role.OTHER) if top else []
