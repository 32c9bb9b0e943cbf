"""Draws pages that are not the first one, and pages in a mail."""

from __future__ import annotations

from lab.headers.arrange import in_row
from lab.headers.facts import Facts
from lab.headers.flow import Flow, cut, joined, one, text_of
from lab.headers.items import bare_items
from lab.headers.tops import draw_items, draw_order
from pipeline.extraction.labelling.labeller import Role

#: A page: what stands above the essay, the essay, what stands below it.
Page = tuple[Flow, Flow, Flow]


def second_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """A page that repeats a line of the header, or the family name, with the number of the page."""
    rng = facts.rng
    number = rng.choice((2, 2, 2, 3))
    mark = rng.choice(
        (
            "{}",
            "{}",
            "pg {}",
            "pg. {}",
            "p. {}",
            "page {}",
            "Page {}",
            "({})",
            "- {}",
            "pág. {}",
            "(page {})",
            "2/{}",
            "cont.",
            "(continued)",
        )
    )
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
    return line + one(rng.choice(("\n\n", "\n")), Role.OTHER), cut(body, start, len(text)), []


def mail_page(facts: Facts, given: set[str], body: Flow) -> Page:
    """Lines of a mail above the essay, whose subject may hold the header."""
    rng = facts.rng
    row = in_row(rng, draw_items(facts, given - {"title"}) or [one("essay", Role.OTHER)])
    lines = [
        one("From: ", Role.LABEL) + facts.slot("mail"),
        one("To: ", Role.LABEL) + one("essays@example.org", Role.CONTACT),
    ]
    subject = one(rng.choice(("Re: ", "Subject: ", "RE: ", "Fwd: ", "Asunto: ", "Subj: ")), Role.LABEL)
    subject += one(
        rng.choice(("contest entry - ", "essay ", "Essay Contest: ", "", "my essay - ", "ensayo - ")), Role.OTHER
    )
    if rng.random() < 0.35:
        lines = [
            lines[1],
            one("from: ", Role.LABEL) + (facts.slot("name") if "name" in given else facts.slot("mail")),
        ]
        row = in_row(
            rng, bare_items(facts, draw_order(rng, given - {"title", "name"})) or [one("essay", Role.OTHER)]
        )
        lines.append(row)
    else:
        lines = [*lines[: rng.randint(0, 2)], subject + row]
    title = [one(facts.title, Role.TITLE)] if "title" in given else []
    top = joined([joined(lines, "\n"), *title], rng.choice(("\n\n", "\n")))
    return top + one("\n\n", Role.OTHER), body, []
