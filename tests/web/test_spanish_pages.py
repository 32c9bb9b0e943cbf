"""No English is left on the Spanish pages, but for what people, models and documents wrote."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from core.models import FormDraft
from pipeline.blanks.marks import FormMarks
from pipeline.extraction.model_fields import all_options
from pipeline.profiles import common_fields
from pipeline.profiles.catalogue import built_in_profiles
from services.context import Context
from tests.support.every_page import EMPTY, filled
from tests.web.test_translations import forms, messages
from web.labels import form_label, submission_field_label, submission_option_label

#: Words that English sentences hardly do without and Spanish ones do not have.
ENGLISH = frozenset(
    """
    the and of with is was are were been be by not this that these those for from has have had it its
    they their which who what when where why how but if than then there here will would should could may
    must still yet only read found missing waits waiting entry entries proposal proposals report reports
    page pages field fields file files school grade student settled queued failed rejected approved
    superseded cancelled nothing
    """.split()  # noqa: SIM905 - a list would be a line a word
)
#: Where content stands: its language is its own.
_CONTENT = {"code", "kbd", "script", "style", "bdi", "q", "blockquote", "textarea", "del", "ins"}
_VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_SPOKEN = ("alt", "title", "placeholder", "aria-label", "aria-description", "data-label")
#: Names and texts of the data that the pages are filled with.
DATA = re.compile(
    r"Second Reader|(Juniper Hill|Lakeview) Elementary( School)?|[\w.-]+\.(pdf|txt|md|png)|2025 essay page"
    r"|(What do s|S)chool programmes (do )?that bring fathers in\??|Costs of Riverbend Breakfasts"
    r"|Nothing yet about grandfathers|A page that is gone|Breakfast with fathers|Journal of Invented Schools"
    r"|The secure base|What was found, version \d"
)
#: Commands, settings and keys in a sentence.
_QUOTED = re.compile(r"`[^`]*`|«[^»]*»|“[^”]*”|\[withdrawn\]|\b[A-Z]+_[A-Z_]+\b")
_PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<code>.*?</code>")
_WORD = re.compile(r"[^\W\d_]{4}")
#: Messages of one word or name in both languages.
SAME_IN_BOTH = frozenset(
    (
        "%(num)d byte",
        "%(num)d bytes",
        "%(number)s tokens",
        "Auditor",
        "BibTeX",
        "CSL JSON",
        "Error",
        "Excel",
        "Firecrawl",
        "JSON",
        "JSON Lines",
        "Markdown",
        "Memo",
        "Open Library",
        "OpenAlex",
        "Original",
        "Plan",
        "Supervisor",
        "Tavily",
        "Token",
        "Tokens",
        "Word",
        "ocr_provider: %(problem)s",
        "supervisor",
    )
)


def _classes(given: dict[str, str | None]) -> list[str]:
    return (given.get("class") or "").split()


class Words(HTMLParser):
    """Collects what a reader reads or hears in the page's own language."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        #: (tag, whether its content is of the page's language)
        self._open: list[tuple[str, bool]] = []

    @property
    def _own(self) -> bool:
        return all(own for _, own in self._open)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        own = given.get("lang") in (None, "es") and tag not in _CONTENT and "value" not in _classes(given)
        if self._own and own:
            self.found += [value for name, value in attributes if name in _SPOKEN and value]
        if tag not in _VOID:
            self._open.append((tag, own))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._own:
            self.found.append(data)


def english_in(page: str, data: re.Pattern[str] = DATA) -> list[str]:
    """The texts of a page that have English words; `data` is content, whose language is its own."""
    parser = Words()
    parser.feed(page)
    return [
        " ".join(text.split())
        for text in parser.found
        if ENGLISH.intersection(re.findall(r"\w+", data.sub(" ", text).casefold()))
    ]


def walked(client: FlaskClient, addresses: list[str], of_drafts: re.Pattern[str] = DATA) -> list[str]:
    """The texts with English words. `of_drafts`: the data on the pages of drafts of forms."""
    client.set_cookie("language", "es")
    return [
        f"{address}: {text}"
        for address in addresses
        for text in english_in(client.get(address).text, of_drafts if "/forms/drafts/" in address else DATA)
    ]


def data_of_drafts(context: Context) -> re.Pattern[str]:
    """What blanks print, and the keys of their fields: the marks are named by them."""
    marks = [FormMarks.model_validate(one) for one in context.database.scalars(select(FormDraft.marks)) if one]
    fields = {name for one in marks for field in one.fields for name in (field.key, field.label_en)}
    texts = fields | {text for one in marks for printed in one.printed for text in printed.texts}
    longest_first = sorted(texts - {""}, key=len, reverse=True)
    return re.compile("|".join((DATA.pattern, *(rf"\b{re.escape(text)}" for text in longest_first))))


@pytest.mark.parametrize("role", list(EMPTY))
def test_while_there_is_nothing(app: Flask, signed_in, role: str | None) -> None:
    client = app.test_client() if role is None else signed_in(role)
    assert walked(client, EMPTY[role]) == []


def test_with_entries_and_reports_in_every_state(app: Flask, signed_in, context: Context) -> None:
    found = []
    pages = filled(context)
    of_drafts = data_of_drafts(context)
    for role, addresses in pages.items():
        found += walked(app.test_client() if role is None else signed_in(role), addresses, of_drafts)
    assert not found, "\n".join(found)


def test_every_sentence_and_label_whatever_the_state() -> None:
    """Labels of enums, fields and options are messages: pages show them all in some state, and few at a time."""
    texts = [(forms(one.id)[0], text) for one in messages() for text in forms(one.string)]
    found = [text for _, text in texts if english_in(f"<p>{_PLACES.sub(' ', _QUOTED.sub(' ', text))}</p>")]
    assert not found, "\n".join(found)
    same = {text for english, text in texts if english == text and _WORD.search(_PLACES.sub(" ", text))}
    assert same - SAME_IN_BOTH == set()


def test_names_of_forms_and_labels_of_fields(app: Flask) -> None:
    with app.test_request_context(headers={"Cookie": "language=es"}):
        spanish = [label for key in built_in_profiles() for label in (form_label(key),)]
        fields = {name: submission_field_label(name) for name in common_fields()}
    english = {profile.label for profile in built_in_profiles().values()}
    assert not english.intersection(spanish) and not [text for text in spanish if english_in(text)]
    assert [name for name, text in fields.items() if text == common_fields()[name].label["en"]] == []


def test_options_of_fields(app: Flask) -> None:
    with app.test_request_context(headers={"Cookie": "language=es"}):
        options = {
            one: submission_option_label(name, one) for name in common_fields() for one in all_options(name)
        }
    assert options and [one for one, label in options.items() if one == label] == []


def test_an_entry_has_one_name() -> None:
    words = re.compile(r"\b(entradas?|inscripci[oó]n(es)?)\b", re.IGNORECASE)
    texts = [text for one in messages() for text in forms(one.string)]
    assert [text for text in texts if words.search(text.replace("Tokens de entrada", ""))] == []


def test_that_english_would_be_seen() -> None:
    page = '<p>El <bdi>the</bdi> <span lang="en">is</span> <b title="not read">uno</b><br>Waits here</p>'
    assert english_in(page) == ["not read", "Waits here"]


def test_the_label_of_a_constant_follows_the_reader(app: Flask) -> None:
    template = app.jinja_env.from_string("{{ 'default_required'|rule_label }}, {{ 'grade'|column_label }}")
    said = []
    for language in ("en", "es"):
        with app.test_request_context(headers={"Cookie": f"language={language}"}):
            said.append(template.render())
    assert said == ["Required fields, Grade", "Campos obligatorios, Grado"]
