"""Every code and label that the product has, said in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from babel.messages.pofile import read_po
from flask import Flask

from core.config import ROOT
from core.messages import PLACE, LabelledEnum, Message, MessageCode, enum_of_place, keys_of, labels_of_place
from web.i18n import heading_of_code, say

PO = ROOT / "translations" / "es" / "LC_MESSAGES" / "messages.po"
LAYERS = ("core", "pipeline", "research", "services", "web", "jobs", "commands")
#: What a place holds that no enum declares; any other holds a number.
SAMPLES: dict[str, Any] = {
    "who": "Ana Ruiz",
    "date": "2026-05-01",
    "problem": {"code": "no_value", "params": {}},
    "problems": [{"code": "no_value", "params": {}}],
    "way": {"code": "way_model", "params": {}},
    "text": "A sentence of an earlier version.",
}


def enums() -> Iterator[type[LabelledEnum]]:
    """The labelled enums of the product, without those of tests."""
    waiting = LabelledEnum.__subclasses__()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.partition(".")[0] in LAYERS:
            yield kind


def codes() -> list[MessageCode]:
    return [code for kind in enums() if issubclass(kind, MessageCode) for code in kind]


def sample(place: str) -> Any:
    if labels_of_place(place):
        return ["grade", "school_name"]
    kind = enum_of_place(place)
    return [*keys_of(kind)][:2] if kind else SAMPLES.get(place, 3)


@cache
def spanish() -> dict[str, str]:
    with PO.open("rb") as file:
        return {message.id: message.string for message in read_po(file) if isinstance(message.id, str)}


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_code_is_said_with_its_values(app: Flask, language: str) -> None:
    assert len(codes()) > 150
    with app.test_request_context(headers={"Accept-Language": language}):
        for code in codes():
            said = say(Message.of(code, **{place: sample(place) for place in code.places}))
            assert said.strip() and "%(" not in said and "…" not in said, code
            assert heading_of_code(code).strip(), code


def test_every_template_has_its_spanish_with_the_same_places() -> None:
    for code in codes():
        assert spanish().get(code.label), f"{code!r} has no Spanish"
        assert frozenset(filter(None, PLACE.findall(spanish()[code.label]))) == code.places, code
        assert spanish().get(code.heading), f"the heading of {code!r} has no Spanish"


def test_every_label_has_its_spanish() -> None:
    for kind in enums():
        for member in kind:
            assert member.label, member
            assert spanish().get(member.label), f"{member!r} has no Spanish"


def test_every_code_is_known_to_the_site(app: Flask) -> None:
    """A row may hold any code: a page must not depend on which modules were imported before."""
    written = {
        node.name
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "MessageCode" for base in node.bases)
    }
    assert {type(code).__name__ for code in codes()} == written
