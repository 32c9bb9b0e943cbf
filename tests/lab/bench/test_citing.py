from __future__ import annotations

from random import Random

from lab.bench.research.citing.duplicates import labelled_pairs
from lab.bench.research.citing.fakes import fakes
from lab.bench.research.citing.passages import read_passages, typeset
from lab.bench.research.citing.true_quotes import true_quotes


def test_passages_are_of_many_fields_and_two_languages() -> None:
    entries = read_passages()
    assert len({entry.id for entry in entries}) == len(entries) >= 60
    assert len({entry.field for entry in entries}) >= 12
    assert {entry.language for entry in entries} == {"en", "es"}


def test_every_kind_of_case_is_there() -> None:
    entries, random = read_passages(), Random(1)
    planted = [kind for entry in entries for kind, _ in fakes(entry, entries, random)]
    true = [kind for entry in entries for kind, _ in true_quotes(entry, random)]
    assert min(planted.count(kind) for kind in set(planted)) >= 10
    assert len(set(planted)) >= 15
    assert min(true.count(kind) for kind in set(true)) >= 50


def test_a_page_keeps_the_letters_of_its_passage() -> None:
    text = "Water fell."
    assert "".join(typeset(text, Random(1)).split()) == "".join(text.split())


def test_pairs() -> None:
    same = [label for _, _, _, label in labelled_pairs(Random(1))]
    assert len(same) >= 500
    assert 0.3 < sum(same) / len(same) < 0.7
