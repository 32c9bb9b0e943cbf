"""Contrast of the colours that text is set in, in both themes (WCAG 2.2 AA)."""

from __future__ import annotations

import re

import pytest

from core.config import ROOT

SHEET = (ROOT / "static" / "css" / "second-reader.css").read_text(encoding="utf-8")
#: (colour of the text, ground it stands on)
TEXT = [
    *(("--text", ground) for ground in ("--ground", "--surface", "--sunken", "--accent-soft", "--amber-soft")),
    *(("--text", ground) for ground in ("--added", "--removed", "--green-soft", "--red-soft", "--grey-soft")),
    *(("--muted", ground) for ground in ("--ground", "--surface", "--sunken", "--amber-soft")),
    *(("--accent", ground) for ground in ("--ground", "--surface", "--amber-soft")),
    ("--on-accent", "--accent"),
    ("--on-accent", "--accent-strong"),
    ("--accent-strong", "--accent-soft"),
    ("--green", "--green-soft"),
    ("--amber", "--amber-soft"),
    ("--amber", "--surface"),
    ("--red", "--red-soft"),
    ("--red", "--surface"),
]
#: Borders of inputs, the focus ring, bars: 3:1.
SHAPES = [
    ("--line-strong", "--surface"),
    ("--focus", "--surface"),
    ("--focus", "--ground"),
    ("--accent", "--surface"),
]


def tokens(selector: str) -> dict[str, str]:
    found = re.search(re.escape(selector) + r" \{(.*?)\}", SHEET, flags=re.DOTALL)
    assert found is not None
    return dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", found[1]))


LIGHT = tokens(":root")
THEMES = {
    "light": LIGHT,
    "dark": {**LIGHT, **tokens(':root[data-theme="dark"]')},
    "auto in the dark": {**LIGHT, **tokens(':root[data-theme="auto"]')},
}


def luminance(colour: str) -> float:
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read(theme: str) -> None:
    weak = [pair for pair in TEXT if contrast(*(THEMES[theme][name] for name in pair)) < 4.5]
    assert not weak


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_can_be_seen(theme: str) -> None:
    weak = [pair for pair in SHAPES if contrast(*(THEMES[theme][name] for name in pair)) < 3]
    assert not weak


def test_both_ways_into_the_dark_are_the_same() -> None:
    assert THEMES["dark"] == THEMES["auto in the dark"]


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
