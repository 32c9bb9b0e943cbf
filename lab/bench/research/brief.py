"""Analysis of requests: types, counts and allocation of researchers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from lab.bench.measure import Measure, at_least, exactly, measured
from lab.bench.research.catalogs.tasks import requests_with_fields
from lab.cassettes.played import played_fields
from lab.questions.examples import field_stems
from research.allocation import (
    ResearcherAllocation,
    assign_questions,
    effective_allocation,
    parse_allocation,
    without_unavailable,
)
from research.report_type import detect_report_type, read, target_items

_DATA = Path(__file__).resolve().parent / "data"
#: The models of `research.questions` are trained with both parts.
_PARTS = ("queries_seen.tsv", "queries_unseen.tsv")
_KINDS = ("web", "academic", "book")
#: The first of the requests kept aside, half of them written to be hard.
_HARD = 200


@dataclass(frozen=True)
class Labelled:
    """A request with what it asks for."""

    kind: str
    items: int | None
    query: str
    fields: tuple[str, ...] = ()


#: Returns the fields that a request names.
Ways = Callable[[str], Sequence[str]]


def measure() -> list[Measure]:
    """The figures."""
    queries = [query for name in _PARTS for query in labelled(name)]
    of = f"{len(queries)} invented requests, English and Spanish, that the models are trained with"
    strangers = list(kept_aside())
    hard, usual = strangers[:_HARD], strangers[_HARD:]
    unseen = f"{len(strangers)} requests of strangers, none trained with"
    hardest = f"the {len(hard)} of these of which half were written to be hard for a program that looks at words"
    others = f"the {len(usual)} others, as people write them"
    held = list(_invariants())
    return [
        measured("report_type_right", type_right(queries), "of 1", at_least(0.97), of),
        measured("target_items_right", items_right(queries), "of 1", at_least(0.99), of),
        measured("report_type_right_strangers", type_right(strangers), "of 1", at_least(0.93), unseen),
        measured("target_items_right_strangers", items_right(strangers), "of 1", at_least(0.93), unseen),
        measured("report_type_right_strangers_hard", type_right(hard), "of 1", at_least(0.93), hardest),
        measured("report_type_right_strangers_usual", type_right(usual), "of 1", at_least(0.93), others),
        measured(
            "fields_right_strangers",
            fields_right(strangers, _by_words),
            "of 1",
            None,
            "fields asked for in these and found, of all asked for or found",
        ),
        *_of_new(),
        measured(
            "allocation_invariants_held",
            sum(held) / len(held),
            "of 1",
            exactly(1),
            f"{len(held)} checks over all 64 triples, as a user's and as a model's, for 1 to 6 questions",
        ),
    ]


def _of_new() -> Iterator[Measure]:
    """Yield what is right of the fields of the newest requests: by the words alone, and with the played model."""
    requests = requests_with_fields()
    told, missed = played_fields(requests)
    by_model = {one.request: fields for one, fields in zip(requests, told, strict=True)}
    ways: list[tuple[str, Ways]] = [("", _by_words), *([] if missed else [("_model", by_model.__getitem__)])]
    for part in ("", "_aside"):
        own = [Labelled("catalog", None, one.request, one.fields) for one in requests if one.aside is bool(part)]
        of = f"{len(own)} requests of one who had not seen the code" + (", kept aside" if part else "")
        for way, found in ways:
            how = f"{of}; {'replies written by a person' if way else 'by their words alone'}"
            bound = at_least(0.95) if way else None
            yield measured(f"fields_named{way}{part}", fields_right(own, found), "of 1", bound, how)
            whole = sum(fields_right([one], found) == 1 for one in own) / len(own)
            yield measured(
                f"requests_with_all_fields{way}{part}", whole, "of 1", bound, f"{how}: each field and no other"
            )


def labelled(name: str) -> list[Labelled]:
    """The labelled requests of a file."""
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines]
    return [Labelled(kind, None if items == "-" else int(items), query) for kind, items, _, query in fields]


def kept_aside() -> Iterator[Labelled]:
    """The strangers' requests that the models were not trained with."""
    for row in json.loads((_DATA / "requests_kept_aside.json").read_text(encoding="utf-8")):
        yield Labelled(row["kind"], row["count"], row["request"], tuple(row["fields"]))


def type_right(queries: list[Labelled]) -> float:
    """Share whose type is found."""
    return sum(detect_report_type(query.query) == query.kind for query in queries) / len(queries)


def items_right(queries: list[Labelled]) -> float:
    """Share whose count is found."""
    return sum(target_items(query.query) == query.items for query in queries) / len(queries)


def _by_words(query: str) -> list[str]:
    return [field.text for field in read(query).fields]


def fields_right(queries: list[Labelled], found_in: Ways) -> float:
    """Share of fields found and asked for among those found or asked for.

    A found field is one asked for if at least half of the stems of the latter are in it.
    """
    both = total = 0
    for query in queries:
        found = [field_stems(field) for field in found_in(query.query)]
        asked = [field_stems(field) for field in query.fields]
        pairs = 0
        for wanted in asked:
            match = next((stems for stems in found if 2 * len(stems & wanted) >= len(wanted)), None)
            if match is not None:
                found.remove(match)
                pairs += 1
        both += pairs
        total += len(asked) + len(found)
    return both / total


def _invariants() -> Iterator[bool]:
    for triple in product(range(4), repeat=3):
        yield from _as_a_users(triple)
        yield from _as_a_models(triple)


def _as_a_users(triple: tuple[int, ...]) -> Iterator[bool]:
    text = "".join(map(str, triple))
    try:
        chosen = parse_allocation(text)
    except ValueError:
        yield not 1 <= sum(triple) <= 3
        return
    yield 1 <= sum(triple) <= 3 and _counts(chosen) == triple
    yield all(_counts(effective_allocation(text, model)) == triple for model in (None, _of(0, 0, 3), _of(3, 3, 3)))


def _as_a_models(triple: tuple[int, ...]) -> Iterator[bool]:
    model = _of(*triple)
    found = effective_allocation(None, model)
    counts = _counts(found)
    yield _counts(model) == triple
    yield 1 <= sum(counts) <= 3 and all(0 <= count <= 3 for count in counts)
    yield counts == ((1, 1, 1) if not sum(triple) else triple) if sum(triple) <= 3 else sum(counts) == 3
    yield all(counts[a] >= counts[b] for a, b in product(range(3), repeat=2) if triple[a] > triple[b])
    yield all(_served(found, number) for number in range(1, 7))
    for up in product((False, True), repeat=3):
        available = [kind for kind, is_up in zip(_KINDS, up, strict=True) if is_up]
        moved, reasons = without_unavailable(found, available)
        lost = sum(count > 0 and not is_up for count, is_up in zip(counts, up, strict=True))
        yield sum(_counts(moved)) == (sum(counts) if available else 0) and len(reasons) == lost


def _served(allocation: ResearcherAllocation, number: int) -> bool:
    questions = [f"question {at}" for at in range(number)]
    assigned = assign_questions(questions, allocation)
    kinds = [assignment.kind for assignment in assigned]
    covered = {question for assignment in assigned for question in assignment.questions}
    return (
        tuple(kinds.count(kind) for kind in ("web", "academic", "book")) == _counts(allocation)
        and covered == set(questions)
        and all(assignment.questions for assignment in assigned)
    )


def _of(web: int, academic: int, book: int) -> ResearcherAllocation:
    return ResearcherAllocation(web_count=web, academic_count=academic, book_count=book)


def _counts(allocation: ResearcherAllocation) -> tuple[int, int, int]:
    return allocation["web_count"], allocation["academic_count"], allocation["book_count"]
