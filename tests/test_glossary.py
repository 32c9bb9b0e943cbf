"""New names use the words of `docs/glossary.md`."""

from __future__ import annotations

import pytest

from tests.support.code import ROOT
from tests.support.glossary import banned_words, breaches
from tests.support.names import DefinedName, defined_names

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Words on pages")[0]
BANNED = banned_words(PAGE)
#: Names that are older than the glossary; a renamed one leaves, and no other comes.
OLDER = (ROOT / "tests" / "data" / "older_names.txt").read_text(encoding="utf-8").split()
#: How many there were when the list was last shortened.
MOST = 70


def test_a_new_name_has_the_words_of_the_glossary() -> None:
    found = {
        f"{name.path}: {name.name} says {banned.word}, the word is {banned.instead}"
        for name, banned in breaches(defined_names(), BANNED)
        if name.name not in OLDER
    }
    assert found == set()


def test_the_list_of_older_names_only_shrinks() -> None:
    assert set(OLDER) - {name.name for name, _ in breaches(defined_names(), BANNED)} == set(), "no longer needed"
    assert sorted(set(OLDER)) == OLDER and len(OLDER) <= MOST


def test_every_row_of_the_page_was_read() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    assert len({banned.instead for banned in BANNED}) == len(rows) - 2 and len(BANNED) > 25
    assert not {banned.word for banned in BANNED} & {banned.instead for banned in BANNED} - {"claim", "look"}


@pytest.mark.parametrize(
    ("path", "name", "word"),
    [
        ("services/review/holds.py", "Claim", "claim"),
        ("services/review/holds.py", "claim_suggestion", "claim"),
        ("web/review/proposals.py", "proposals", "proposal"),
        ("pipeline/orchestrator/context.py", "HTMLEntry", "entry"),
        ("services/entries/list_entries.py", "list_entries", "entry"),
        ("services/supervision/run_loops.py", "run_loops", "loop"),
    ],
)
def test_a_banned_word_is_found(path: str, name: str, word: str) -> None:
    assert [banned.word for _, banned in breaches([DefinedName(path, name)], BANNED)] == [word]


def test_a_word_is_free_in_its_own_place() -> None:
    assert not list(breaches([DefinedName("research/memo.py", "Claim")], BANNED))
