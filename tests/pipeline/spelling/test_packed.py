"""Packed lattices say what the lattices say."""

from __future__ import annotations

import pytest

from pipeline.spelling.lattice import Lattice, pack_lattice, unpacked
from tests.support.reading.lines import steps_of

#: A line of which two letters may be others.
DOUBTED = Lattice(steps_of("Oak Mill", {4: {"H": 0.3, "n": 0.05}, 6: {"i": 0.45}}))


@pytest.mark.parametrize("text", ["oak mill", "oak hill", "oak miil", "oak nill"])
def test_likelihoods_stay(text: str) -> None:
    before, after = DOUBTED.log_likelihoods([text])[0], unpacked(pack_lattice(DOUBTED)).log_likelihoods([text])[0]
    assert after == pytest.approx(before, abs=0.1 * len(text))


def test_the_likeliest_text_stays_with_letters_that_occur_twice() -> None:
    line = Lattice(({"": 1.0},) * 9 + ({"L": 1.0},) * 3 + ({"": 1.0},) * 2 + ({"l": 1.0},) * 2 + ({"é": 1.0},))
    assert unpacked(pack_lattice(line)).likeliest == line.likeliest == "lle"


def test_a_line_takes_some_ten_bytes_a_letter() -> None:
    long = Lattice(steps_of("Juniper Hills Elementary School", {3: {"j": 0.2}}))
    assert pack_lattice(long).isascii()
    assert len(pack_lattice(long)) <= 10 * 31


def test_an_empty_line_is_an_empty_text() -> None:
    assert pack_lattice(Lattice(())) == ""
    assert not unpacked("")
