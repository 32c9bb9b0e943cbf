"""Marks of a form in JSON, as the studio keeps them: deep, long and wrong values."""

from __future__ import annotations

import json
from typing import Any

_FIELD = {"key": "code", "kind": "text", "zone": [150, 160, 500, 180]}
_PRINTS = [{"role": "title", "at": [60, 40 + 30 * n, 330, 60 + 30 * n], "texts": [f"Text {n}"]} for n in range(3)]


def _marks(**parts: Any) -> bytes:
    whole = {"key": "paddle_day", "label": "Paddle day", "fields": [_FIELD], "printed": _PRINTS}
    return json.dumps({**whole, **parts}).encode()


def nested_arrays() -> bytes:
    """A hundred thousand arrays within each other."""
    return b'{"fields": ' + b"[" * 100_000


def nested_objects() -> bytes:
    """A hundred thousand objects within each other."""
    return b'{"fields": ' * 100_000


def unknown_keys() -> bytes:
    """Two hundred thousand keys that marks do not have."""
    return _marks(**{f"k{number}": 1 for number in range(200_000)})


def one_key_again_and_again() -> bytes:
    """A key that stands half a million times."""
    return b"{" + b'"key": "a", ' * 500_000 + b'"key": "a"}'


def number_of_many_digits() -> bytes:
    """A side of a million digits."""
    return _marks(page=[612, 7]).replace(b"7]", b"9" * 1_000_000 + b"]")


def number_of_a_great_power() -> bytes:
    """Sides that are infinite once they are read."""
    return _marks(page=[612, 7]).replace(b"7]", b"1e999999999]")


def no_numbers() -> bytes:
    """Sides that are no numbers, as JavaScript writes them."""
    return _marks(page=[float("nan"), float("inf")], ignore=[[float("-inf"), 0, float("nan"), 1]])


def page_without_size() -> bytes:
    """A page of no width."""
    return _marks(page=[0, 0])


def halves_of_characters() -> bytes:
    """Texts of halves of surrogate pairs and NULs."""
    return _marks(label="\ud800\udfff\ud800", printed=[{"role": "title", "texts": ["\x00\udc00"]}])


def texts_of_megabytes() -> bytes:
    """A label of five million characters."""
    return _marks(label="a" * 5_000_000)


def fields_one_over_the_other() -> bytes:
    """Eighty fields at one place, each a choice of forty options."""
    option = {"value": "a", "texts": ["a"], "at": [1, 2, 3, 4], "mark": [5, 6, 7, 8]}
    fields = [{**_FIELD, "key": f"f{n}", "kind": "choice", "options": [option] * 40} for n in range(80)]
    return _marks(fields=fields)


def patterns_in_every_field() -> bytes:
    """Eighty fields with patterns of a hundred million characters, written out."""
    fields = [{**_FIELD, "key": f"f{n}", "pattern": f"((a{{{9000 + n}}}){{9999}})"} for n in range(80)]
    return _marks(fields=fields)


def patterns_that_may_be_compiled() -> bytes:
    """Eighty fields with the longest patterns that are taken."""
    fields = [{**_FIELD, "key": f"f{n}", "pattern": f"(?i)(?:a[b-y]{{{n + 1}}}|z){{30}}"} for n in range(80)]
    return _marks(fields=fields)


def keys_of_megabytes() -> bytes:
    """A thousand keys of ten thousand letters that marks do not have."""
    return _marks(**{f"{number}" + "k" * 10_000: 1 for number in range(1_000)})


def truths_for_places() -> bytes:
    """Truth values, nothing and texts where places stand."""
    places: list[Any] = [[True] * 4, None, "1", [[1]] * 4, {}]
    return _marks(fields=[{**_FIELD, "zone": place} for place in places])


def letters_as_numbers() -> bytes:
    """Two million letters, each written as its number."""
    return _marks().replace(b"Paddle day", b"\\u0061" * 2_000_000)
