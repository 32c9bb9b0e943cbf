"""Draws what stands above an essay: fields, title, contest, notes, in many orders."""

from __future__ import annotations

from random import Random

from lab.headers.arrange import arranged, in_row
from lab.headers.dress import starred
from lab.headers.facts import Facts
from lab.headers.flow import Flow, fill, joined, one
from lab.headers.items import bare_items, fields_of, filled, labelled_items, other_item
from lab.headers.words import sentences
from pipeline.extraction.labelling.labeller import Role

_ORDERS = (
    ("name", "school", "grade", "teacher", "room", "date"),
    ("name", "grade", "school", "teacher", "room", "date"),
    ("school", "grade", "room", "teacher", "name", "date"),
    ("name", "teacher", "room", "grade", "school", "date"),
    ("name", "teacher", "date", "grade", "school", "room"),
)

_COURSES = (
    *(
        "English {digit}",
        "English II Honors",
        "ELA {digit}",
        "Period {digit}",
        "Language Arts",
        "AP Lang",
        "Writing {digit}",
    ),
    *(
        "English {digit}, Period {digit}",
        "Comp & Lit",
        "English 10{digit}",
        "{nthp} Period",
        "Creative Writing",
        "ESL {digit}",
    ),
)


def draw_order(rng: Random, given: set[str]) -> list[str]:
    """The given fields in a common order or in any."""
    fields = [field for field in rng.choice(_ORDERS) if field in given]
    if rng.random() < 0.55:
        rng.shuffle(fields)
    return fields


def draw_items(facts: Facts, given: set[str]) -> list[Flow]:
    """The header's items, with other things between them."""
    rng = facts.rng
    order = draw_order(rng, given)
    if "title" in given:
        order.insert(rng.choice((0, 0, len(order), rng.randint(0, len(order)))), "title")
    style = rng.random()
    if style < 0.6 or not order:
        items = bare_items(facts, order)
    elif style < 0.88:
        absent = [field for field in ("name", "school", "grade", "teacher", "room", "date") if field not in order]
        count = rng.choice((0, 0, 0, 1, 2)) if absent else 0
        items = labelled_items(facts, order, rng.sample(absent, min(count, len(absent))))
    else:
        cut = rng.randint(0, len(order))
        items = bare_items(facts, order[:cut]) + labelled_items(facts, order[cut:], [])
    for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 1, 1, 2))):
        items.insert(rng.choice((0, len(items), rng.randint(0, len(items)))), other_item(facts))
    if items and rng.random() < 0.06:
        place = rng.randrange(len(items))
        items[place] = starred(rng, items[place])
    if rng.random() < 0.02:
        items = [starred(rng, item) for item in items]
    return [item for item in items if item]


def draw_top(facts: Facts, given: set[str]) -> Flow:
    """Everything above the essay's text, and the break between the two."""
    rng = facts.rng
    if facts.grade >= 5 and rng.random() < 0.07:
        return _school_paper(facts, given)
    inside = "title" in given and rng.random() < 0.3
    items = draw_items(facts, given if inside else given - {"title"})
    block = arranged(rng, items) if items else []
    if "title" not in given or inside:
        return block
    return _with_title(rng, facts, block)


def _school_paper(facts: Facts, given: set[str]) -> Flow:
    """Pupil, teacher, course and date under each other, then the title, as older pupils are taught."""
    rng = facts.rng
    lines = [facts.slot(field) for field in ("name", "teacher") if field in given]
    lines.append(fill(rng.choice(_COURSES), Role.OTHER, facts.slot))
    lines += [facts.slot(field) for field in ("school", "date") if field in given]
    title = one(" " * rng.choice((0, 20, 30)), Role.OTHER) + facts.slot("title") if "title" in given else []
    return joined([joined(lines, "\n"), title], rng.choice(("\n\n", "\n")))


def _with_title(rng: Random, facts: Facts, block: Flow) -> Flow:
    """The block with the title above it, below it, or at the end of its last line."""
    title = one(facts.title, Role.TITLE)
    if not block:
        return title
    between = rng.choice(("\n", "\n", "\n", "\n\n", "\n\n", "\n\n", "   ", " - ", "\t\t\t", " "))
    parts = [block, title] if rng.random() < 0.6 else [title, block]
    return joined(parts, between)


def draw_sentence(facts: Facts, given: set[str]) -> Flow:
    """A sentence, by the teacher, a parent or the pupil, that tells some of the given fields."""
    rng = facts.rng
    bank = sentences.SPANISH if facts.spanish else sentences.ENGLISH
    fitting = [text for text in bank if fields_of(text) <= given and fields_of(text)]
    fitting = rng.sample(fitting, min(4, len(fitting)))
    if not fitting:
        return arranged(rng, draw_items(facts, given))
    chosen = max(fitting, key=lambda text: len(fields_of(text)))
    flow = filled(facts, chosen)
    rest = given - fields_of(chosen) - {"title"}
    if rest and rng.random() < 0.5:
        flow = joined(
            [flow, in_row(rng, bare_items(facts, draw_order(rng, rest)))], rng.choice(("\n", "\n", "  "))
        )
    if "title" in given:
        flow = _with_title(rng, facts, flow)
    return flow
