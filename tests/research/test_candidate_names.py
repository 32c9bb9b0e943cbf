"""Names of one item, and names of two."""

from __future__ import annotations

import pytest

from research.candidates import merge_candidates, same_item
from research.memo import CatalogCandidate


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Harbour Programme", "Harbour"),
        ("Harbour Program", "harbour programme"),
        ("Open Doors (OD)", "OD"),
        ("Open Doors (OD)", "Open Doors"),
        ("Programa Manos Abiertas", "Manos Abiertas"),
        ("Proyecto de la Ribera", "La Ribera"),
        ("Ledgerly Inc.", "Ledgerly"),
        ("Música Viva", "Musica viva"),
    ],
)
def test_one_item(one: str, other: str) -> None:
    assert same_item(one, other) and same_item(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Family Start", "Family Start Plus"),
        ("BrightVan", "BrightVan 2"),
        ("Bridge Project", "Bridge Programme"),
        ("Jumpstart (Leeds)", "Jumpstart (York)"),
        ("Open Doors (OD)", "Open Days (OD2)"),
        ("Reading Aloud", "Reading Together"),
    ],
)
def test_two_items(one: str, other: str) -> None:
    assert not same_item(one, other) and not same_item(other, one)


def test_the_acronym_joins_what_was_met_before() -> None:
    merged = merge_candidates(
        map(CatalogCandidate, ("OD", "Open Doors (OD)", "The Open Doors Programme", " ")), ()
    )
    assert [candidate.name for candidate in merged] == ["Open Doors (OD)"]
