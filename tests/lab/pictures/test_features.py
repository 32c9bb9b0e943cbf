"""The table of features names every area of the site, and only pictures that there are."""

from __future__ import annotations

import re

from core.config import ROOT, Settings
from flask_app import create_app
from lab.pictures.feature import WHO
from lab.pictures.features import FEATURES
from lab.pictures.table import IMAGES, table_of, written_table
from lab.pictures.take import MOST_BYTES

#: No pages for people.
_NO_AREAS = {"/", "/api", "/static", "/healthz", "/readyz", "/metrics"}


def area_of(rule: str) -> str:
    """The first part of an address, of the admin pages the first two."""
    parts = rule.strip("/").partition(".")[0].split("/")
    return "/" + "/".join(parts[:2] if parts[0] == "admin" else parts[:1])


def test_every_area_is_in_the_table(settings: Settings) -> None:
    rules = create_app(settings).url_map.iter_rules()
    areas = {area_of(rule.rule) for rule in rules if "GET" in (rule.methods or ())}
    assert areas - _NO_AREAS - {area for feature in FEATURES for area in feature.areas} == set()


def test_no_name_stands_for_two() -> None:
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names) and all(set(feature.who) <= set(WHO) for feature in FEATURES)


def test_the_page_is_as_made_and_its_pictures_are_there() -> None:
    table = written_table()
    assert table == table_of(FEATURES), "make pictures"
    named = set(re.findall(r'src="images/([^"]+)"', table))
    assert len(named) >= 20
    assert all((IMAGES / name).stat().st_size <= MOST_BYTES for name in named)


def test_the_readme_is_short_and_its_pictures_are_there() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 120
    assert all((ROOT / path).is_file() for path in re.findall(r"\]\((docs/images/[^)]+)\)", readme))
