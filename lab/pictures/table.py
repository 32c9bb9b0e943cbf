"""The table of features in `docs/pages.md`: made of `FEATURES`, and of the pictures that there are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.config import ROOT
from lab.pictures.feature import WHO, Feature
from lab.pictures.features import FEATURES
from services.accounts.person import Role

PAGES = ROOT / "docs" / "pages.md"
IMAGES = ROOT / "docs" / "images"
#: What the table stands between.
_BEGIN, _END = "<!-- pages: made by `make pictures` -->\n", "<!-- end of pages -->\n"
_HEAD = """| page | what you do there | who | picture |
| --- | --- | --- | --- |
"""


def table_of(features: Iterable[Feature], images: Path = IMAGES) -> str:
    """Return the table; a feature without a picture, of a page that there is not yet, has no row."""
    return _HEAD + "".join(_row(feature) for feature in features if (images / feature.picture).is_file())


def write_table() -> None:
    """Put the table into `docs/pages.md`. Raises ValueError where the page has no place for it."""
    before, rest = PAGES.read_text(encoding="utf-8").split(_BEGIN)
    PAGES.write_text(f"{before}{_BEGIN}{table_of(FEATURES)}{_END}{rest.split(_END)[1]}", encoding="utf-8")


def written_table() -> str:
    """Return the table that the page has."""
    return PAGES.read_text(encoding="utf-8").split(_BEGIN)[1].split(_END)[0]


def _row(feature: Feature) -> str:
    path = f"images/{feature.picture}"
    picture = f'<a href="{path}"><img src="{path}" width="260" alt=""></a>'
    where = " ".join(f"`{area}`" for area in feature.areas) or f"`{feature.path}`"
    return f"| **{feature.title}** {where} | {feature.does} | {_people(feature)} | {picture} |\n"


def _people(feature: Feature) -> str:
    if not feature.who:
        return "everybody"
    if set(feature.who) == set(WHO):
        return "everybody signed in"
    return ", ".join(Role(role).label.lower() for role in WHO if role in feature.who)
