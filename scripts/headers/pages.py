"""Places header and essay on a page: above, at the end, as a footer, on a second page, in a mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from scripts.headers.arrange import arranged, in_row
from scripts.headers.body import draw_body, draw_intro
from scripts.headers.drawn import Piece, Role
from scripts.headers.facts import Facts
from scripts.headers.flow import Flow, joined, one, text_of
from scripts.headers.items import bare_items, labelled_items
from scripts.headers.tops import draw_items, draw_order, draw_sentence, draw_top
from scripts.headers.words import sentences

#: A page: what stands above the essay, the essay, what stands below it.
Page = tuple[Flow, Flow, Flow]
_BREAKS = ("\n\n",) * 11 + ("\n",) * 4 + ("   ", "  ", " ", " ", " - ", ". ", "\t", ": ", "    ", " \u200b", "\n\n\n", "\n\n\t", "\n\t", "\n    ")


def top_page(facts: Facts, given: set[str], body: Flow) -> Page:
    return _broken(facts.rng, draw_top(facts, given)), body, []


def sentence_page(facts: Facts, given: set[str], body: Flow) -> Page:
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
        role = Role.LABEL if not word.rstrip(".! ").lower().endswith(("end", "fin")) else Role.OTHER
        block = one(word + rng.choice(("\n", " ", "\n", "\n\n")), role) + block
    return _broken(rng, title), body, one(rng.choice(("\n\n", "\n\n", "\n", "\n\n\n", "  ")), Role.OTHER) + block


def footer_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """The fields in one line at the foot of the page, with the number of the page."""
    rng = facts.rng
    title = one(facts.title, Role.TITLE) if "title" in given and rng.random() < 0.7 else []
    items = draw_items(facts, given - {"title"})
    if rng.random() < 0.5:
        items.append(one(rng.choice(("1", "p. 1", "1/2", "pg 1", "Page 1", "page 1 of 2", "pág. 1", "- 1 -")), Role.OTHER))
    return _broken(rng, title), body, one("\n\n", Role.OTHER) + in_row(rng, items or [one("1", Role.OTHER)])


def second_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """A page that repeats a line of the header, or the family name, with the number of the page."""
    rng = facts.rng
    number = rng.choice((2, 2, 2, 3))
    mark = rng.choice(("{}", "{}", "pg {}", "pg. {}", "p. {}", "page {}", "Page {}", "({})", "- {}", "pág. {}", "(page {})", "2/{}", "cont.", "(continued)"))
    page = one(mark.format(number), Role.OTHER)
    if "name" in given and rng.random() < 0.55:
        name = one(rng.choice((facts.child.family[0], facts.name, " ".join(facts.child.family))), Role.NAME)
    else:
        name = []
    shown = given - {"title", "date"} - ({"name"} if name else set())
    repeated = bare_items(facts, draw_order(rng, shown)) if shown and rng.random() < (0.4 if name else 0.8) else []
    title = [one(facts.title, Role.TITLE)] if "title" in given and rng.random() < 0.3 else []
    items = [item for item in (name, *repeated, *title) if item]
    rng.shuffle(items)
    items.insert(rng.choice((0, len(items), len(items), len(items))), page)
    line = joined(items, rng.choice((" ", " ", " / ", " - ", ", ", "   ", " | ", "\t")))
    text = text_of(body)
    start = text.find(" ", rng.randint(0, max(1, len(text) // 4))) + 1
    return line + one(rng.choice(("\n\n", "\n")), Role.OTHER), _from(body, start), []


def mail_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """Lines of a mail above the essay, whose subject may hold the header."""
    rng = facts.rng
    row = in_row(rng, draw_items(facts, given - {"title"}) or [one("essay", Role.OTHER)])
    lines = [one("From: ", Role.LABEL) + facts.slot("mail"), one("To: ", Role.LABEL) + one("essays@example.org", Role.CONTACT)]
    subject = one(rng.choice(("Re: ", "Subject: ", "RE: ", "Fwd: ", "Asunto: ", "Subj: ")), Role.LABEL)
    subject += one(rng.choice(("contest entry - ", "essay ", "Essay Contest: ", "", "my essay - ", "ensayo - ")), Role.OTHER)
    if rng.random() < 0.35:
        lines = [lines[1], one("from: ", Role.LABEL) + (facts.slot("name") if "name" in given else facts.slot("mail"))]
        row = in_row(rng, bare_items(facts, draw_order(rng, given - {"title", "name"})) or [one("essay", Role.OTHER)])
        lines.append(row)
    else:
        lines = lines[: rng.randint(0, 2)] + [subject + row]
    title = [one(facts.title, Role.TITLE)] if "title" in given else []
    top = joined([joined(lines, "\n"), *title], rng.choice(("\n\n", "\n")))
    return top + one("\n\n", Role.OTHER), body, []


PAGES: dict[Callable[[Facts, set[str], Flow], Page], float] = {
    top_page: 66, sentence_page: 8, intro_page: 7, plain_page: 5, signed_page: 6, footer_page: 3.5, second_page: 3, mail_page: 2,
}  # fmt: skip


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


def _from(flow: Flow, start: int) -> Flow:
    """The flow from a character on."""
    left: Flow = []
    for piece in flow:
        text, start = piece.text[start:], max(0, start - len(piece.text))
        left += [Piece(text, piece.role)] if text else []
    return left
