"""What people read has the words of `docs/glossary.md`: one word for each thing, in plain English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
from flask import Flask

from pipeline.profiles import common_fields
from tests.support.code import ROOT
from tests.web.test_translations import forms, found_in_code

_PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Words on pages")[1]
#: What is quoted from a program or filled in is no word of a sentence.
_NO_WORDS = re.compile(r"<code>.*?</code>|`[^`]*`|%\(\w+\)[sd]|\{\w+\}")


def never() -> dict[str, str]:
    """{a word that no page says: the word to use}."""
    rows = [line.strip("|").split("|") for line in _PAGE.splitlines() if line.startswith("| ")][2:]
    return {word.strip(): instead.strip() for _, instead, words in rows for word in words.split(",")}


NEVER = never()
_FORBIDDEN = re.compile(rf"\b({'|'.join(map(re.escape, sorted(NEVER, key=len, reverse=True)))})\b", re.IGNORECASE)


def breaches(texts: Iterator[str] | list[str]) -> list[str]:
    """The texts with a word of another, and the word to use."""
    found = [(text, _FORBIDDEN.search(_NO_WORDS.sub(" ", text))) for text in texts]
    return [f"{text!r} says {hit[0]}: {NEVER[hit[0].casefold()]}" for text, hit in found if hit]


def _told(command: click.Command) -> Iterator[str]:
    """Yield the help of a command and of what it takes, and of the commands below it."""
    yield command.help or ""
    for parameter in command.params:
        yield getattr(parameter, "help", None) or ""
    for below in getattr(command, "commands", {}).values():
        yield from _told(below)


def test_sentences_of_pages_and_mails(tmp_path: Path) -> None:
    assert (
        breaches([text for message in found_in_code(tmp_path) if message.id for text in forms(message.id)]) == []
    )


def test_help_of_commands(app: Flask) -> None:
    asked = click.Context(app.cli)
    found = [app.cli.get_command(asked, name) for name in app.cli.list_commands(asked)]
    ours = [one for one in found if one is not None and (one.callback or _told).__module__.startswith("commands")]
    assert len(ours) > 5
    assert breaches([text for command in ours for text in _told(command)]) == []


def test_labels_of_fields_and_texts_of_letters() -> None:
    texts = tomllib.loads((ROOT / "services" / "letters" / "texts.toml").read_text(encoding="utf-8"))
    assert breaches([field.label["en"] for field in common_fields().values()]) == []
    assert breaches([*texts["en"].values(), *texts["words"]["en"].values()]) == []


def test_that_a_wrong_word_is_found() -> None:
    assert len(breaches(["Queue done.", "Read anew", "Go on", "No matter", "Of all these files"])) == 5
    assert breaches(["%(unseen)s completed without review", "<code>batch</code>"]) == []
