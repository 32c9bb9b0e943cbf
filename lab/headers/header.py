"""Draws the opening of a typed essay as the labeller is trained with it."""

from __future__ import annotations

from random import Random

from lab.headers import dress
from lab.headers.arrange import shifted
from lab.headers.draw_facts import draw_facts
from lab.headers.drawn import Header, Piece
from lab.headers.flow import Flow, split_lines, wrapped
from lab.headers.pages import draw_page

_GIVEN = {"name": 0.81, "school": 0.82, "grade": 0.76, "teacher": 0.33, "room": 0.27, "date": 0.15, "title": 0.5}


def draw_header(rng: Random) -> Header:
    """The lines of a page's opening, and whether the essay is in Spanish."""
    spanish = rng.random() < 0.275
    tongue = spanish if rng.random() < 0.87 else not spanish
    facts = draw_facts(rng, tongue)
    given = {field for field, chance in _GIVEN.items() if rng.random() < chance}
    if not given & {"name", "school", "grade"}:
        given.add(rng.choice(("name", "school", "grade")))
    top, body, foot = draw_page(facts, spanish, given)
    young = facts.grade <= 2
    width = rng.randint(48, 64) if rng.random() < 0.08 else rng.randint(60, 95)
    top, body, foot = _dressed(rng, (top, body, foot), young, spanish)
    if top and top[-1].text.startswith("\n") and rng.random() < 0.13:
        top = [*shifted(rng, top[:-1], width), top[-1]]
    return Header(_lines(rng, top, body, foot, width), spanish)


def _dressed(rng: Random, page: tuple[Flow, Flow, Flow], young: bool, spanish: bool) -> tuple[Flow, Flow, Flow]:
    """The page in one hand: its case, accents, spelling and spaces."""
    top, body, foot = page
    roll = rng.random()
    if roll < 0.045:
        top, body, foot = ([Piece(p.text.upper(), p.role) for p in flow] for flow in (top, body, foot))
    elif roll < (0.18 if young else 0.09):
        top, body, foot = ([Piece(p.text.lower(), p.role) for p in flow] for flow in (top, body, foot))
    else:
        top, foot = dress.dress_case(rng, top, young), dress.dress_case(rng, foot, young)
        body = dress.dress_body(rng, body, young, spanish)
    if rng.random() < (0.25 if spanish else 0.1):
        top, body, foot = (dress.without_accents(flow) for flow in (top, body, foot))
    if rng.random() < 0.05:
        top = dress.missed_spaces(rng, top)
    roll = rng.random()
    if roll < 0.06:
        top = dress.with_zero_width(rng, top, everywhere=False)
        if roll < 0.03:
            body, foot = dress.with_zero_width(rng, body, True), dress.with_zero_width(rng, foot, False)
    return top, body, foot


def _lines(rng: Random, top: Flow, body: Flow, foot: Flow, width: int) -> list[list[Piece]]:
    """The page in lines: the essay wrapped and, with nothing under it, cut to its first lines."""
    rows = [row for line in split_lines(top + body + foot) for row in wrapped(line, width)]
    if foot:
        return rows
    above = sum(len(wrapped(line, width)) for line in split_lines(top)) - 1 if top else 0
    return rows[: above + rng.randint(2, 6)]
