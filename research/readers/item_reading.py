"""Read the items of sources with any reader, as the rounds of a report and its benchmark do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from research.catalog.candidate_merging import merge_candidates
from research.material import SourceText
from research.memo import CatalogCandidate, FieldValue
from research.readers.protocol import Asked, Value
from research.readers.reader import Reader


def read_items(
    reader: Reader, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
) -> list[CatalogCandidate]:
    """Return one candidate per item, with the values that their quotations prove, in order of first occurrence.

    `known`: what earlier rounds found.
    """
    merged = merge_candidates(reader.items(asked, sources, known), asked.fields)
    values = [
        (at, name, told) for at, one in enumerate(merged) for name, of_one in one.values.items() for told in of_one
    ]
    asked_of = [Value(merged[at].name, name, told.value, told.quote, told.source_key) for at, name, told in values]
    kept: list[dict[str, list[FieldValue]]] = [{} for _ in merged]
    for (at, name, told), proven in zip(values, reader.proven(asked, asked_of, sources), strict=True):
        if proven:
            kept[at].setdefault(name, []).append(replace(told, value=proven))
    found = [replace(one, values=of_one, fields={}) for one, of_one in zip(merged, kept, strict=True)]
    return merge_candidates(found, asked.fields)
