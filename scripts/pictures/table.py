"""The table of features, docs/features.md: made of `FEATURES`, and of the pictures that there are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.config import ROOT
from scripts.pictures.feature import WHO, Feature
from scripts.pictures.features import FEATURES
from services.accounts.roles import Role

PAGE = ROOT / "docs" / "features.md"
IMAGES = ROOT / "docs" / "images"
_HEAD = """# What each page does

Made by `make pictures` from `scripts/pictures/features.py`, with pictures of the demo: its people are invented.

| page | what one does there | for | picture |
| --- | --- | --- | --- |
"""


def table_of(features: Iterable[Feature], images: Path = IMAGES) -> str:
    """Return the page; a feature without a picture, of a page that there is not yet, has no row."""
    return _HEAD + "".join(_row(feature) for feature in features if (images / feature.picture).is_file())


def write_table() -> None:
    """Write docs/features.md."""
    PAGE.write_text(table_of(FEATURES), encoding="utf-8")


def _row(feature: Feature) -> str:
    picture = f'<a href="images/{feature.picture}"><img src="images/{feature.picture}" width="260" alt=""></a>'
    where = " ".join(f"`{area}`" for area in feature.areas) or f"`{feature.path}`"
    return f"| **{feature.title}** {where} | {feature.does} | {_people(feature)} | {picture} |\n"


def _people(feature: Feature) -> str:
    if not feature.who:
        return "everybody"
    if set(feature.who) == set(WHO):
        return "everybody signed in"
    return ", ".join(Role(role).label.lower() for role in WHO if role in feature.who)
