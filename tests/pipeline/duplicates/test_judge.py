"""Two entries are one by their essays, their pictures and whose they are; rare names say more than common ones."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pipeline.duplicates.comparison import Likeness, Subject, match_pair, name_evidence, pair_keys
from pipeline.duplicates.pictures import fingerprint, same_sheet
from tests.support.reading.entries import ESSAY

SCHOOL = "Lakeview Elementary School"
OTHER = " ".join(reversed(ESSAY.split()))


def child(
    name: str | None, essay: str | None = ESSAY, school: str | None = SCHOOL, grade: str | None = "4"
) -> Subject:
    return Subject(name, school, grade, essay)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marisol Quintero", "Quintero, Marisol"),
        ("Marisol Quintero", "Marlsol Quintcro"),
        ("Marisol Ana Quintero", "Marisol Quintero"),
        ("Marisol Quintero Vega", "MarisolQuintero"),
        ("José Núñez", "Jose Nunez"),
        ("Marisol Quintero", None),
    ],
)
def test_one_essay_of_one_child_however_the_name_was_read(one: str, other: str | None) -> None:
    misread = ESSAY.replace("e", "c", 12).replace("rn", "m")
    left, right = child(one), child(other, misread)
    found = match_pair(left, right)
    assert found is not None and Likeness.ESSAY in found.likenesses
    assert set(pair_keys(left)) & set(pair_keys(right))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Twins; two of one name; a class with one text; two lines that many write; nothing to go by.
        (child("Ana Quintero"), child("Luis Quintero", OTHER)),
        (child("Maria Garcia"), child("Maria Garcia", OTHER)),
        (child("Marisol Quintero"), child("Theo Okafor")),
        (child(None, "I love my dad."), child(None, "I love my dad.")),
        (child("Maria Garcia", None), child("Maria Garcia", None)),
        (child(None, None), child(None, None)),
    ],
)
def test_what_is_not_the_same(one: Subject, other: Subject) -> None:
    assert match_pair(one, other) is None


def test_one_entry_of_each_child() -> None:
    one, other = child("Marisol Quintero"), child("Marisol Quintero", OTHER)
    assert match_pair(one, other) is None
    found = match_pair(one, other, one_entry_each=True)
    assert found is not None and Likeness.OTHER_ESSAY in found.likenesses
    # Two children of such a name in one class are nothing rare.
    assert match_pair(child("Maria Garcia"), child("Maria Garcia", OTHER), one_entry_each=True) is None
    assert name_evidence("Marisol Quintero", "Marisol Quintero") > name_evidence("Maria Garcia", "Maria Garcia")


def test_one_sheet_scanned_twice_is_known_and_another_of_the_form_is_not() -> None:
    one, other = sheet(1), sheet(2)
    again = one.rotate(1.4, fillcolor=250, resample=Image.Resampling.BILINEAR)
    noise = np.random.default_rng(5).normal(0, 9, (660, 510))
    again = Image.fromarray(np.clip(np.asarray(again) * 0.9 + noise, 0, 255).astype(np.uint8))
    maps = [fingerprint(page) for page in (one, again, other)]
    assert all(maps) and maps[0] and maps[1] and maps[2]
    assert same_sheet(maps[0], maps[1])
    assert not same_sheet(maps[0], maps[2])
    assert fingerprint(Image.new("L", (510, 660), 250)) is None


def sheet(seed: int) -> Image.Image:
    """A form with its printed rules, filled in by a hand."""
    page, rng = Image.new("L", (510, 660), 250), Random(seed)
    pen = ImageDraw.Draw(page)
    pen.rectangle((60, 40, 450, 70), outline=60, width=3)
    for line in range(18):
        y = 110 + 28 * line
        pen.line((50, y, 460, y), fill=150)
        x = 55
        while x < 430:
            width = rng.randint(12, 60)
            pen.line([(x + step, y - rng.randint(2, 16)) for step in range(0, width, 4)], fill=40, width=2)
            x += width + rng.randint(8, 16)
    return page


ESSAY_ALONE = (
    "My uncle repairs bicycles for the whole street and lets me hold the lamp. He says that patience is a tool. "
    * 3
)


@pytest.mark.parametrize(
    ("form", "essay", "neighbours", "strength"),
    [
        ("Marisol Quintero", "Marlsol Quintero", False, "likely"),
        ("Marisol Quintero", "Marisol Quintero", True, "sure"),
        ("Marisol Quintero", None, True, "possible"),
        ("Marisol Quintero", None, False, None),
        ("Marisol Quintero", "Theo Okafor", True, None),
    ],
)
def test_a_form_and_an_essay_are_halves_by_name_or_as_neighbours(
    form: str, essay: str | None, neighbours: bool, strength: str | None
) -> None:
    one = Subject(form, "Lakeview Elementary School", "4")
    other = Subject(essay, None, None, ESSAY_ALONE)
    match = match_pair(one, other, neighbours=neighbours)
    assert (match and match.strength.value) == strength
    assert match is None or Likeness.HALVES in match.likenesses
