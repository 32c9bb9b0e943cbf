"""Nothing that the held-out part is drawn with occurs in development; its labels say what that was."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from lab import make_samples
from lab.samples.corpus import draw_corpus
from lab.samples.damage.scan import draw_scanner
from lab.samples.forms import flattened
from lab.samples.hand import fonts
from lab.samples.part import DEMONSTRATION, DEVELOPMENT, HELD_OUT, Part
from lab.samples.words import names_development, names_held_out
from lab.samples.words.schools import schools_csv

_PEOPLE = ("FIRST_ENGLISH", "FIRST_SPANISH", "LAST_ENGLISH", "LAST_SPANISH", "FATHERS_ENGLISH", "FATHERS_SPANISH")
#: Quickly drawn, and between them they show every place where damage is done.
_KINDS = frozenset(
    ("acroform_26_garbled_text", "vector_text_freeform", "scan_single_25_hand", "photo_jpg", "flattened_form_26")
)


def _names(module: ModuleType) -> set[str]:
    return {name for bank in _PEOPLE for name in getattr(module, bank)}


def _sentences(bank: ModuleType) -> set[str]:
    blocks = [*bank.OPENINGS.values(), *bank.MIDDLES.values(), *bank.CLOSINGS.values(), bank.REACTIONS]
    parts = {" ".join(part.split()) for block in blocks for part in block.split("|")}
    slots = {value for values in bank.SLOTS.values() for value in values}
    return parts | slots | set(bank.TITLES) | set(bank.MISSPELT)


def _ways_to_write(part: Part) -> set[str]:
    known = (*part.schools.schools, *part.schools.unlisted)
    return {way.lower() for school in known for way in (school.name, *school.aliases)}


def test_no_name_of_a_person_occurs_in_both() -> None:
    assert not _names(names_development) & _names(names_held_out)
    assert not set(DEVELOPMENT.names.mail_places) & set(HELD_OUT.names.mail_places)


def test_no_school_and_no_town_occurs_in_both() -> None:
    assert not _ways_to_write(DEVELOPMENT) & _ways_to_write(HELD_OUT)
    cities = [{school.city for school in part.schools.schools} for part in (DEVELOPMENT, HELD_OUT)]
    assert not cities[0] & cities[1]


@pytest.mark.parametrize("spanish", [False, True], ids=["english", "spanish"])
def test_no_sentence_occurs_in_both(spanish: bool) -> None:
    assert not _sentences(DEVELOPMENT.essays(spanish)) & _sentences(HELD_OUT.essays(spanish))


@pytest.mark.usefixtures("sample_fonts")
def test_no_face_occurs_in_both() -> None:
    files = [{fonts.path(face) for face in (*part.hands, *part.typefaces)} for part in (DEVELOPMENT, HELD_OUT)]
    assert not files[0] & files[1]


def test_no_damage_of_a_scanner_occurs_in_both() -> None:
    seen = [
        {name for seed in range(300) for name in draw_scanner(Random(seed), part).damage}
        for part in (DEVELOPMENT, HELD_OUT)
    ]
    assert len(seen[0]) >= 4
    assert len(seen[1]) >= 10
    assert not seen[0] & seen[1]


def test_a_school_list_holds_the_schools_of_its_part_only() -> None:
    rows = list(csv.DictReader(StringIO(schools_csv(HELD_OUT.schools))))
    assert len(rows) >= 80
    assert all(row["name"] and row["aliases"] and row["city"] and row["district"] for row in rows)
    assert not {row["name"].lower() for row in rows} & _ways_to_write(DEVELOPMENT)


@pytest.mark.usefixtures("sample_fonts")
def test_labels_say_part_damage_and_hand() -> None:
    damage: dict[str | None, set[str]] = {}
    for part in (DEVELOPMENT, HELD_OUT):
        labels = [t.label(s.part) for _, s in draw_corpus(6, 4, _KINDS, part) for t in s.truths]
        assert {label["part"] for label in labels} == {part.name}
        hands = {label["handwriting_font"] for label in labels} - {None}
        assert hands
        assert hands <= set(part.hands)
        damage[part.name] = {name for label in labels for name in label["damage"]}
        assert len(damage[part.name]) >= 3
    assert not damage["development"] & damage["held_out"]


@pytest.mark.usefixtures("sample_fonts")
def test_the_demonstration_belongs_to_no_part() -> None:
    assert "part" not in flattened.draw(Random(3), DEMONSTRATION).truths[0].label(DEMONSTRATION.name)


@pytest.mark.usefixtures("sample_fonts")
def test_both_parts_go_to_folders_of_their_own(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--part", "both", "--entries", "9", "--kinds", "flattened_form_26"]
    assert make_samples.main(arguments) == 0
    people = {}
    for part, entries in (("development", 6), ("held_out", 3)):
        labels: dict[str, Any] = json.loads((tmp_path / part / "labels.json").read_text(encoding="utf-8"))
        assert len(labels) == entries
        assert {label["part"] for label in labels.values()} == {part}
        named = [label["entries"][0]["student_name"] or "" for label in labels.values()]
        people[part] = {word for name in named for word in re.split(r"[ -]", name) if len(word) > 2}
        assert (tmp_path / part / "schools.csv").is_file()
    assert not people["development"] & people["held_out"]
