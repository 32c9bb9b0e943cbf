"""The catalogue keeps up with the code, and the templates with the catalogue."""

from __future__ import annotations

import ast
import io
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
PO = ROOT / "translations" / "es" / "LC_MESSAGES" / "messages.po"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
#: Names, keys and signs that are the same in every language.
SAME = re.compile(r'·? ?Second Reader|DOI|ISBN|[a-z-]+="\s*"')
_PLACE = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
_SPOKEN = ("alt", "title", "placeholder", "aria-label", "aria-description", "data-label")


@cache
def spanish() -> Catalog:
    with PO.open("rb") as file:
        return read_po(file, locale="es")


@cache
def found_in_code(tmp: Path) -> Catalog:
    pot = tmp / "messages.pot"
    CommandLineInterface().run(
        [
            "pybabel",
            "-q",
            "extract",
            "-F",
            str(ROOT / "babel.cfg"),
            "-k",
            "mark",
            "-k",
            "_l",
            "-o",
            str(pot),
            str(ROOT),
        ]
    )
    with pot.open("rb") as file:
        return read_po(file)


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def messages() -> list[Message]:
    return [message for message in spanish() if message.id]


def test_every_sentence_has_its_spanish(tmp_path: Path) -> None:
    known = {forms(message.id)[0]: message for message in messages()}
    wanted = {forms(message.id)[0] for message in found_in_code(tmp_path) if message.id}
    assert not wanted - known.keys(), "run `make translations`, then translate what is new"
    assert not known.keys() - wanted, "run `make translations`: nothing says this any more"
    assert not [key for key, message in known.items() if not all(forms(message.string))]


def test_places_for_values_are_the_same() -> None:
    for message in messages():
        singular, *plural = forms(message.id)
        for text in forms(message.string):
            wanted = {frozenset(_PLACE.findall(form)) for form in (singular, *plural)}
            assert frozenset(_PLACE.findall(text)) in wanted, text
            assert bool(plural) == (not isinstance(message.string, str)), "two forms for two"


def test_tags_within_a_sentence_are_the_same() -> None:
    for message in messages():
        for english, text in zip(forms(message.id), forms(message.string), strict=True):
            assert re.findall(r"</?\w+>", english) == re.findall(r"</?\w+>", text)


def test_what_is_compiled_is_what_is_written() -> None:
    fresh = io.BytesIO()
    write_mo(fresh, spanish())
    fresh.seek(0)
    with PO.with_suffix(".mo").open("rb") as file:
        compiled = {str(m.id): m.string for m in read_mo(file) if m.id}
    assert compiled == {str(m.id): m.string for m in read_mo(fresh) if m.id}, "run `make translations`"


class Words(HTMLParser):
    """Collects what a reader of a template, cleared of Jinja, would read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attributes if name in _SPOKEN and value]
        if tag in ("code", "kbd", "script", "style"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.found.append(data)


def cleared(source: str) -> str:
    """A template without what Jinja puts in, comments and translated blocks."""
    source = re.sub(r"\{#.*?#\}", " ", source, flags=re.DOTALL)
    source = re.sub(r"\{% block body_class %\}.*?\{% endblock %\}", " ", source)
    source = re.sub(r"\{%-?\s*trans\b.*?endtrans\s*-?%\}", " ", source, flags=re.DOTALL)
    return re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", source, flags=re.DOTALL)


def bare_words(source: str) -> list[str]:
    parser = Words()
    parser.feed(cleared(source))
    pieces = [piece.strip() for text in parser.found for piece in re.split(r"\s{2,}|\n", text)]
    return [piece for piece in pieces if re.search(r"[^\W\d_]", piece) and not SAME.fullmatch(piece)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_text_of_a_template_is_left_unmarked(path: Path) -> None:
    assert bare_words(path.read_text(encoding="utf-8")) == []


def test_that_bare_text_would_be_seen() -> None:
    assert bare_words('<p title="Why">{{ _("Yes") }} Look</p>{% trans %}Good{% endtrans %}') == ["Why", "Look"]


@pytest.mark.parametrize("path", sorted((ROOT / "web").rglob("*.py")), ids=lambda path: path.stem)
def test_what_is_flashed_is_translated(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    flashed = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "flash"]
    assert not [text for text in flashed if isinstance(text, ast.Constant | ast.JoinedStr)]
