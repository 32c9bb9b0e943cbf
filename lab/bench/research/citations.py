"""Quotations that are true, planted and misattributed, and references that are one work or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from lab.bench.measure import Measure, at_least, at_most, measured
from lab.bench.research.citing.duplicates import labelled_pairs
from lab.bench.research.citing.fakes import fakes
from lab.bench.research.citing.passages import Entry, read_passages, typeset
from lab.bench.research.citing.true_quotes import true_quotes
from research.citations.quotes import verify_quote
from research.citations.references import same_reference

SEEDS = (11, 12, 13)


def measure() -> list[Measure]:
    """All of them."""
    return [*_quotes(), _duplicates()]


def _quotes() -> list[Measure]:
    entries = read_passages()
    fields = len({entry.field for entry in entries})
    true, planted, misattributed = [], [], []
    for seed in SEEDS:
        random = Random(seed)
        pages = {entry.id: typeset(entry.text, random) for entry in entries}
        true += _true(entries, pages, random)
        planted += _planted(entries, pages, random)
        misattributed += _misattributed(entries, pages, random)
    base = (
        f"{len(entries)} invented passages from {fields} fields, English and Spanish, type-set {len(SEEDS)} ways"
    )
    return [
        measured(
            "planted_fakes_caught",
            _share(planted),
            "share",
            at_least(0.99),
            f"{len(planted)} changed quotations of {base}",
        ),
        measured(
            "true_quotes_rejected",
            1 - _share(true),
            "share",
            at_most(0.01),
            f"{len(true)} quotations cut from {base}",
        ),
        measured(
            "misattributed_named",
            _share(misattributed),
            "share",
            at_least(0.99),
            f"{len(misattributed)} true quotations given for another source of {base}",
        ),
    ]


def _true(entries: Sequence[Entry], pages: Mapping[str, str], random: Random) -> list[bool]:
    return [
        verify_quote(quote, entry.id, pages).status == "verified"
        for entry in entries
        for _, quote in true_quotes(entry, random)
    ]


def _planted(entries: Sequence[Entry], pages: Mapping[str, str], random: Random) -> list[bool]:
    return [
        verify_quote(fake, entry.id, pages).status == "fabricated"
        for entry in entries
        for _, fake in fakes(entry, entries, random)
    ]


def _misattributed(entries: Sequence[Entry], pages: Mapping[str, str], random: Random) -> list[bool]:
    found = []
    for entry in entries:
        for quote in entry.sentences:
            other = random.choice([one.id for one in entries if one is not entry])
            verdict = verify_quote(quote, other, pages)
            found.append((verdict.status, verdict.source_id) == ("misattributed", entry.id))
    return found


def _duplicates() -> Measure:
    pairs = list(labelled_pairs(Random(SEEDS[0])))
    found = [(same_reference(a, b), same) for _, a, b, same in pairs]
    hits = sum(said and same for said, same in found)
    f1 = 2 * hits / (sum(said for said, _ in found) + sum(same for _, same in found))
    how = f"{len(pairs)} labelled pairs of invented references, {sum(same for _, same in found)} of one work"
    return measured("duplicate_f1", f1, "F1", at_least(0.99), how)


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right)
