"""Addresses that say which work stands behind them."""

from __future__ import annotations

import pytest

from research.citations.references import collection_ids, doi_of_address, same_reference


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://www.nature.com/articles/s41929-019-0222-2.pdf", "10.1038/s41929-019-0222-2"),
        ("https://peerj.com/articles/4375/", "10.7717/peerj.4375"),
        ("https://peerj.com/articles/cs-123.pdf", "10.7717/peerj-cs.123"),
        ("https://elifesciences.org/articles/47338", "10.7554/elife.47338"),
        ("https://www.bmj.com/content/364/bmj.l4567.full.pdf", "10.1136/bmj.l4567"),
        (
            "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0213456",
            "10.1371/journal.pone.0213456",
        ),
        ("https://example.org/articles/4375?page=10.5", None),
    ],
)
def test_publishers_pages(url: str, doi: str | None) -> None:
    assert doi_of_address(url) == doi


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.jstor.org/stable/41234567?seq=1", "http://jstor.org/stable/pdf/41234567.pdf"),
        (
            "https://www.boe.es/buscar/act.php?id=BOE-A-2015-11430&tn=1",
            "https://boe.es/diario_boe/txt.php?id=BOE-A-2015-11430",
        ),
        ("https://youtu.be/dQ1abcdEFGh?t=3", "https://www.youtube.com/watch?list=x&v=dQ1abcdEFGh"),
        ("https://www.biorxiv.org/content/10.1101/654321v3.full", "https://doi.org/10.1101/654321"),
        ("https://hal.science/hal-02345678", "https://hal.archives-ouvertes.fr/hal-02345678v2/document"),
        (
            "https://www.thelancet.com/journals/x/article/PIIS0140-6736(19)30123-4/fulltext",
            "https://www.sciencedirect.com/science/article/abs/pii/S0140673619301234",
        ),
        ("https://files.eric.ed.gov/fulltext/ED123456.pdf", "https://eric.ed.gov/?id=ED123456"),
        (
            "https://example.org/revista/article/view/77/90",
            "https://example.org/index.php/revista/article/download/77",
        ),
        ("https://www.redalyc.org/pdf/132/13212345001.pdf", "https://www.redalyc.org/articulo.oa?id=13212345001"),
        (
            "https://www.mdpi.com/2073-4441/11/5/1024/pdf?version=1558000000",
            "https://www.mdpi.com/2073-4441/11/5/1024",
        ),
        ("https://example.org/article/712345/summary", "https://example.org/article/712345?v=1558000000"),
        ("https://example.org/papers/dp114.pdf?download=1", "https://example.org/papers/dp114"),
    ],
)
def test_one_work_at_two_addresses(one: str, other: str) -> None:
    assert same_reference({"url": one}, {"url": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://youtu.be/dQ1abcdEFGh", "https://youtu.be/dq1abcdEFGh"),
        ("https://ssrn.com/abstract=4412345", "https://papers.ssrn.com/sol3/papers.cfm?abstract_id=4412346"),
        ("https://example.org/get?download=17", "https://example.org/get?download=18"),
    ],
)
def test_two_works(one: str, other: str) -> None:
    assert not same_reference({"url": one}, {"url": other})


def test_numbers_by_collection() -> None:
    assert collection_ids("https://ieeexplore.ieee.org/abstract/document/8765432", "10.2307/41234567") == {
        "ieee": "8765432",
        "jstor": "41234567",
    }
