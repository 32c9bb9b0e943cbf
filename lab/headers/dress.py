"""Changes how a header looks: case, accents, spelling, spaces without width, stars."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from lab.headers.drawn import Piece
from lab.headers.flow import Flow, mapped, one
from lab.samples.words import essays_english, essays_spanish
from lab.samples.words.people import plain
from pipeline.extraction.labelling.labeller import Role

ZERO = "\u200b"
_KEEP = frozenset({Role.CONTACT})
_STARS = ("*", "**", "***", "☆", "♥", "~", "<3", ":)", "!!", "★", "-", "#", "^^", "=)", "✏", "•")
_MORE_SLIPS = {
    "the": "teh",
    "and": "an",
    "with": "wit",
    "there": "thier",
    "know": "no",
    "says": "sez",
    "have": "hav",
    "work": "werk",
    "works": "werks",
    "makes": "maks",
    "likes": "liks",
    "very": "verry",
    "called": "calld",
    "little": "littel",
    "from": "form",
    "father": "fother",
    "father's": "fathers",
    "don't": "dont",
    "doesn't": "dosent",
    "isn't": "isnt",
    "I'm": "Im",
    "night": "nite",
    "also": "tambien",
    "escuela": "esquela",
    "hace": "ase",
    "voy": "boy",
    "lleva": "yeva",
    "qué": "que",
    "sé": "se",
}


def dress_case(rng: Random, header: Flow, young: bool) -> Flow:
    """The header in one case, or some of its fields in capitals or small letters."""
    roll = rng.random()
    if roll < 0.07:
        return mapped(header, str.upper, _KEEP)
    if roll < (0.26 if young else 0.14):
        return mapped(header, str.lower, _KEEP)
    if roll < (0.34 if young else 0.22):
        roles = frozenset(rng.sample((Role.NAME, Role.SCHOOL, Role.TEACHER, Role.TITLE, Role.ROOM, Role.LABEL), 2))
        change = rng.choice((str.upper, str.lower, str.lower, str.upper))
        return [replace(p, text=change(p.text)) if p.role in roles else p for p in header]
    if roll > 0.975:
        return mapped(header, str.title, _KEEP)
    return header


def dress_body(rng: Random, body: Flow, young: bool, spanish: bool) -> Flow:
    """The essay's text with a child's spelling and case."""
    if rng.random() < (0.5 if young else 0.12):
        wrong = {**essays_english.MISSPELT, **_MORE_SLIPS, **(essays_spanish.MISSPELT if spanish else {})}
        wrong = {word: wrong[word] for word in rng.sample(list(wrong), len(wrong) // 2)}
        body = [_slips(rng, piece, wrong) for piece in body]
    roll = rng.random()
    if roll < (0.22 if young else 0.06):
        return mapped(body, str.lower)
    return mapped(body, str.upper) if roll > 0.975 else body


def _slips(rng: Random, piece: Piece, wrong: dict[str, str]) -> Piece:
    if piece.role is not Role.BODY:
        return piece
    return replace(
        piece,
        text=re.sub(
            r"[\w']+", lambda f: wrong[f[0]] if f[0] in wrong and rng.random() < 0.5 else f[0], piece.text
        ),
    )


def without_accents(flow: Flow) -> Flow:
    """The flow as written on a keyboard without accents."""
    return mapped(flow, plain)


def with_zero_width(rng: Random, flow: Flow, everywhere: bool) -> Flow:
    """The flow with spaces without width in place of spaces, beside them, or at the ends of pieces."""
    way = rng.choice(("instead", "beside", "before", "starts", "some"))
    if way == "instead" and not everywhere:
        return mapped(flow, lambda text: text.replace(" ", ZERO))
    if way == "beside":
        return mapped(flow, lambda text: text.replace(" ", rng.choice((f" {ZERO}", f"{ZERO} ", f"{ZERO} {ZERO}"))))
    if way == "before":
        return [
            piece if piece.role in (Role.BODY, Role.OTHER) else replace(piece, text=ZERO + piece.text)
            for piece in flow
        ]
    if way == "starts":
        return [Piece(ZERO, Role.OTHER), *mapped(flow, lambda text: text.replace("\n", f"\n{ZERO}"))]
    return mapped(flow, lambda text: re.sub(" ", lambda _: f" {ZERO}" if rng.random() < 0.4 else " ", text))


def starred(rng: Random, item: Flow) -> Flow:
    """The item between stars or with something drawn behind it."""
    star = rng.choice(_STARS)
    space = rng.choice(("", " "))
    before = one(star + space, Role.OTHER) if rng.random() < 0.6 else []
    return before + item + one(space + star, Role.OTHER)


def missed_spaces(rng: Random, flow: Flow) -> Flow:
    """The flow with a space left out or doubled here and there between the fields."""
    return [
        replace(piece, text=rng.choice(("", "  ", " ")) if rng.random() < 0.3 else " ")
        if piece.text == " " and piece.role is not Role.BODY
        else piece
        for piece in flow
    ]
