"""Draws the items of a header: one field or several next to each other, with or without labels."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from lab.headers.drawn import Piece
from lab.headers.facts import FIELD, Facts
from lab.headers.flow import Flow, fill, one, slots_of
from lab.headers.words import items as bank
from lab.headers.words import labels
from pipeline.extraction.labelling.labeller import Role

Fields = frozenset[str]


def fields_of(template: str) -> Fields:
    """The header's fields that a template tells."""
    return frozenset(FIELD[slot] for slot in slots_of(template) if slot in FIELD)


@cache
def templates(spanish: bool) -> dict[Fields, list[str]]:
    """The items' templates of a language by the fields that they tell."""
    found: defaultdict[Fields, list[str]] = defaultdict(list)
    for template in bank.SHARED + (bank.SPANISH if spanish else bank.ENGLISH):
        found[fields_of(template)].append(template)
    return dict(found)


def filled(facts: Facts, template: str) -> Flow:
    """The template with the pupil's facts; words between the fields connect, bare marks are other text."""
    flow = fill(template, Role.LABEL, facts.slot)
    pieces = []
    for number, piece in enumerate(flow):
        role = piece.role
        if role is Role.LABEL and not any(letter.isalnum() for letter in piece.text):
            after = flow[number + 1].role if number + 1 < len(flow) else None
            role = Role.ROOM if piece.text == "#" and after is Role.ROOM else Role.OTHER
        pieces.append(Piece(piece.text, role))
    return pieces


def bare_items(facts: Facts, order: list[str], joining: float = 0.35) -> list[Flow]:
    """The fields in about this order, each alone or together with others."""
    rng, left, items = facts.rng, list(order), []
    while left:
        known = templates(facts.spanish)
        size = 1 if rng.random() > joining else rng.choice((2, 2, 2, 3, 3, 4))
        fitting = [key for key in known if left[0] in key and key <= set(left) and len(key) == size]
        key = rng.choice(fitting) if fitting else frozenset(left[:1])
        plain = len(key) == 1 and rng.random() < 0.6
        items.append(facts.slot(left[0]) if plain else filled(facts, rng.choice(known[key])))
        left = [field for field in left if field not in key]
    return items


def labelled_items(facts: Facts, order: list[str], blank: list[str]) -> list[Flow]:
    """The fields behind labels in one style; `blank` are fields whose labels stand without an answer."""
    rng = facts.rng
    joint = rng.choice(labels.JOINTS)
    style = rng.choice((str, str, str, str, str.upper, str.lower))
    names = labels.SPANISH if facts.spanish else labels.ENGLISH
    items: list[Flow] = []
    for field in order + blank:
        if field == "title" and rng.random() < 0.4:
            items.append(one(facts.title, Role.TITLE))
            continue
        label = style(rng.choice(names[field]))
        if label.endswith((".", "#", "?")):
            between = rng.choice((" ", " ", joint))
        else:
            between = joint if rng.random() < 0.92 else rng.choice(labels.JOINTS)
        value = _blank(facts, field) if field in blank else _value(facts, field)
        items.append(one(label + between, Role.LABEL) + value)
    if blank:
        rng.shuffle(items)
    if rng.random() < 0.06 and {"grade", "room"} <= set(order):
        items = [item for item in items if not any(piece.role in (Role.GRADE, Role.ROOM) for piece in item)]
        label = rng.choice(
            ("Grade/Room", "Grade & Room", "Child's grade/room", "Grade/Rm", "Grado/Salón", "Gr/Rm")
        )
        items.append(
            one(label + joint, Role.LABEL)
            + filled(facts, rng.choice(("{number} / {roomid}", "{number}-{roomid}", "{grade}, {roomid}")))
        )
    return items


def _value(facts: Facts, field: str) -> Flow:
    rng = facts.rng
    if field == "grade":
        return facts.slot(rng.choice(("number", "number", "number", "grade", "grade", "ordinal", "gradenoun")))
    if field == "room":
        return facts.slot(rng.choice(("roomid", "roomid", "roomid", "room")))
    if field == "teacher" and rng.random() < 0.15:
        return one(facts.teacher.split(" ", 1)[-1], Role.TEACHER)
    if field == "school" and facts.spanish and rng.random() < 0.06:
        return one("la ", Role.LABEL) + facts.slot("school")
    return facts.slot(field)


def _blank(facts: Facts, field: str) -> Flow:
    rng = facts.rng
    remarks = {"school": labels.NO_SCHOOL, "grade": labels.NO_GRADE, "name": labels.NO_NAME}
    if field in remarks and rng.random() < 0.4:
        return one(rng.choice(remarks[field]), Role.OTHER)
    return one(rng.choice(labels.BLANKS_SPANISH if facts.spanish else labels.BLANKS), Role.OTHER)


def other_item(facts: Facts) -> Flow:
    """Something else that stands in headers: a period, a word count, a club, the parents, the contest."""
    rng = facts.rng
    if rng.random() < 0.3:
        contest = rng.choice(labels.CONTESTS_SPANISH if facts.spanish else labels.CONTESTS)
        return fill(contest, Role.OTHER, facts.slot)
    return fill(rng.choice(labels.MORE_SPANISH if facts.spanish else labels.MORE), Role.OTHER, facts.slot)
