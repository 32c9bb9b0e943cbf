"""The figures of the statistics page, as tables, from counts. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from services.stats.counts import Counts, Sums
from services.stats.occurrences import Kind, SuggestionOrigin, quantile

#: Outcomes of runs that the supervisor ends, in the order they are shown. Other outcomes come from people.
MACHINE_OUTCOMES = ("completed", "suggested", "escalated", "failed")
#: Decisions on a proposed field, in the order they are shown.
DECISIONS = ("approved", "edited", "kept", "rejected")
#: The origin of a field for which nothing is proposed: a person only fills it in.
_NOTHING = SuggestionOrigin.NOTHING.value
_OF_NODES = ("node", "times", "p50_ms", "p95_ms", "p95_ms_before")
_OF_SETTLED = ("by", "settled", "p50_s", "p95_s", "p50_s_before")
Value: TypeAlias = "str | int | float | Decimal | None"


@dataclass(frozen=True)
class Figure:
    """The occurrences that a figure counts: their kind and keys; None matches every key."""

    kind: Kind
    keys: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class FigureRow:
    """One line of a table: values by the names of its columns, and the figures behind some of them."""

    values: Mapping[str, Value]
    behind: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class StatsTable:
    """A table of figures; pages and the API show codes by their labels, chosen by the column."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[FigureRow, ...]

    def __bool__(self) -> bool:
        return bool(self.rows)


def tables_of(now: Counts, before: Counts) -> dict[str, StatsTable]:
    """Return every table by its name."""
    made = (
        _outcomes(now, before),
        _reasons(now, before),
        _doubts(now, before),
        _tools(now, before),
        _durations("nodes", _OF_NODES, Kind.NODE, 0.95, now, before),
        _models(now),
        _errors(now, before),
        _suggestions(now),
        _acceptance("acceptance_by_field", "field", 0, now, before),
        _acceptance("acceptance_by_origin", "origin", 2, now, before),
        _durations("settled", _OF_SETTLED, Kind.SETTLED, 0.5, now, before),
        _effort(now),
    )
    return {table.name: table for table in made}


def runs(counts: Counts) -> int:
    """Return the number of runs that ended."""
    return sum(sums.number for _, sums in sums_of_kind(counts, Kind.RUN))


def cost(counts: Counts) -> Sums:
    """Return the sums of all requests to models."""
    return _added(sums for _, sums in sums_of_kind(counts, Kind.CALL))


def sums_of_kind(counts: Counts, kind: Kind) -> Iterable[tuple[tuple[str, ...], Sums]]:
    """Return (keys, sums) of one kind."""
    return [(keys, sums) for (its_kind, keys), sums in counts.items() if its_kind is kind]


def _outcomes(now: Counts, before: Counts) -> StatsTable:
    here, there = _by(now, Kind.RUN, 0), _by(before, Kind.RUN, 0)
    people, earlier = _by(now, Kind.BY_PERSON, 0), _by(before, Kind.BY_PERSON, 0)
    rows = [
        _counted("outcome", outcome, here, there, Figure(Kind.RUN, (outcome,)), share_of=runs(now))
        for outcome in MACHINE_OUTCOMES
    ]
    rows += [
        _counted("outcome", outcome, people, earlier, Figure(Kind.BY_PERSON, (outcome,)))
        for outcome in ("resolved", "rejected")
    ]
    return StatsTable("outcomes", ("outcome", "runs", "share", "before"), tuple(rows))


def _reasons(now: Counts, before: Counts) -> StatsTable:
    """Reasons of escalated runs; one that names fields has a row for each field below it.

    A run whose reason names two fields counts in the rows of both, and once in that of the reason.
    """
    here, there = _escalated(now), _escalated(before)
    named, earlier = _fields_named(now), _fields_named(before)
    total = sum(sums.number for sums in here.values())
    rows = []
    for key in _most(here, there):
        figure = Figure(Kind.RUN, ("escalated", key))
        rows.append(_counted("reason", key, here, there, figure, share_of=total, more={"field": None}))
        for reason, name in _most(named, earlier):
            if reason == key:
                figure = Figure(Kind.FIELD, ("escalated", reason, name))
                more: dict[str, Value] = {"field": name}
                rows.append(
                    _counted("reason", key, named, earlier, figure, key=(reason, name), share_of=total, more=more)
                )
    return StatsTable("reasons", ("reason", "field", "runs", "share", "before"), tuple(rows))


def _fields_named(counts: Counts) -> dict[tuple[str, ...], Sums]:
    """Return the sums of escalated runs by reason and the field that it names."""
    return {keys[1:]: sums for keys, sums in sums_of_kind(counts, Kind.FIELD) if keys[0] == "escalated"}


def _doubts(now: Counts, before: Counts) -> StatsTable:
    """Reason codes of entries, whatever their outcome."""
    here, there = _by(now, Kind.DOUBT, 1), _by(before, Kind.DOUBT, 1)
    rows = [_counted("doubt", key, here, there, Figure(Kind.DOUBT, (None, key))) for key in _most(here, there)]
    return StatsTable("doubts", ("doubt", "runs", "before"), tuple(rows))


def _tools(now: Counts, before: Counts) -> StatsTable:
    here, there, all_runs = _by(now, Kind.TOOL, 0), _by(before, Kind.TOOL, 0), runs(now)
    rows = []
    for tool in _most(here, there):
        each = here.get(tool, Sums()).number / all_runs if all_runs else None
        rows.append(
            _counted("tool", tool, here, there, Figure(Kind.TOOL, (tool,)), name="uses", more={"each": each})
        )
    return StatsTable("tools", ("tool", "uses", "each", "before"), tuple(rows))


def _durations(
    table: str, columns: tuple[str, str, str, str, str], kind: Kind, again: float, now: Counts, before: Counts
) -> StatsTable:
    """Return how long something took: its key, number, two percentiles, and one (`again`) of the period before."""
    here, there = histograms(now, kind), histograms(before, kind)
    rows = []
    for key in sorted({*here, *there}):
        of_key = here.get(key, {})
        found = (sum(of_key.values()), quantile(of_key, 0.5), quantile(of_key, 0.95))
        values = dict(zip(columns, (key, *found, quantile(there.get(key, {}), again)), strict=True))
        rows.append(FigureRow(values, {columns[1]: Figure(kind, (key,))}))
    return StatsTable(table, columns, tuple(rows))


def _models(now: Counts) -> StatsTable:
    of_model: dict[tuple[str, str], list[tuple[tuple[str, ...], Sums]]] = defaultdict(list)
    for keys, sums in sums_of_kind(now, Kind.CALL):
        of_model[keys[0], keys[1]].append((keys, sums))
    rows = []
    for (provider, model), calls in sorted(of_model.items()):
        whole = _added(sums for _, sums in calls)
        rows.append(
            FigureRow(
                {
                    "provider": provider,
                    "model": model,
                    "requests": whole.number,
                    "failed": _number(calls, lambda keys: keys[2] != "ok"),
                    "retries": _number(calls, lambda keys: keys[3] == "retry"),
                    "helped": _number(calls, lambda keys: keys[2:] == ("ok", "retry")),
                    "mean_ms": whole.total / whole.number if whole.number else None,
                    "tokens_in": whole.tokens_in,
                    "tokens_out": whole.tokens_out,
                    "cost_usd": whole.cost_usd,
                },
                {
                    "requests": Figure(Kind.CALL, (provider, model)),
                    "retries": Figure(Kind.CALL, (provider, model, None, "retry")),
                    "helped": Figure(Kind.CALL, (provider, model, "ok", "retry")),
                },
            )
        )
    columns = (
        *("provider", "model", "requests", "failed", "retries", "helped"),
        *("mean_ms", "tokens_in", "tokens_out", "cost_usd"),
    )
    return StatsTable("models", columns, tuple(rows))


def _errors(now: Counts, before: Counts) -> StatsTable:
    here = {key: sums for key, sums in _by(now, Kind.CALL, 2).items() if key != "ok"}
    there = {key: sums for key, sums in _by(before, Kind.CALL, 2).items() if key != "ok"}
    rows = [
        _counted("error", key, here, there, Figure(Kind.CALL, (None, None, key)), name="requests")
        for key in _most(here, there)
    ]
    return StatsTable("errors", ("error", "requests", "before"), tuple(rows))


def _suggestions(now: Counts) -> StatsTable:
    """Proposed fields by field, reason and origin."""
    offered = dict(sums_of_kind(now, Kind.OFFERED))
    decided: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for keys, sums in sums_of_kind(now, Kind.DECIDED):
        decided[keys[:3]][keys[3]] = sums.number
    rows = []
    for keys in sorted({*offered, *decided}, key=lambda one: (-offered.get(one, Sums()).number, one)):
        named = dict(zip(("field", "why", "origin"), keys, strict=True))
        answers = decided.get(keys, {})
        share = None if keys[2] == _NOTHING else _share_approved(answers)
        rows.append(_accepted(named, keys, offered.get(keys, Sums()).number, answers, share))
    columns = ("field", "why", "origin", "offered", *DECISIONS, "acceptance")
    return StatsTable("proposals", columns, tuple(rows))


def _acceptance(table: str, column: str, place: int, now: Counts, before: Counts) -> StatsTable:
    """How proposals were decided, by one of their keys; the share approved is of fields with a proposed value."""
    offered = _by(now, Kind.OFFERED, place)
    decided = _decided_by(now, place)
    valued, earlier = _decided_by(now, place, valued=True), _decided_by(before, place, valued=True)
    rows = []
    for key in sorted({*offered, *decided}, key=lambda one: (-offered.get(one, Sums()).number, one)):
        keys = tuple(key if index == place else None for index in range(3))
        share = _share_approved(valued.get(key, {}))
        row = _accepted({column: key}, keys, offered.get(key, Sums()).number, decided.get(key, {}), share)
        rows.append(
            FigureRow({**row.values, "acceptance_before": _share_approved(earlier.get(key, {}))}, row.behind)
        )
    return StatsTable(table, (column, "offered", *DECISIONS, "acceptance", "acceptance_before"), tuple(rows))


def _decided_by(counts: Counts, place: int, valued: bool = False) -> dict[str, dict[str, int]]:
    """Return the numbers of decisions by one key of the fields; with `valued`, of those with a proposed value."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for keys, sums in sums_of_kind(counts, Kind.DECIDED):
        if not (valued and keys[2] == _NOTHING):
            found[keys[place]][keys[3]] += sums.number
    return found


def _accepted(
    named: Mapping[str, Value],
    keys: tuple[str | None, ...],
    offered: int,
    decided: Mapping[str, int],
    share: float | None,
) -> FigureRow:
    return FigureRow(
        {
            **named,
            "offered": offered,
            **{decision: decided.get(decision, 0) for decision in DECISIONS},
            "acceptance": share,
        },
        {
            "offered": Figure(Kind.OFFERED, keys),
            **{decision: Figure(Kind.DECIDED, (*keys, decision)) for decision in DECISIONS},
        },
    )


def _share_approved(decided: Mapping[str, int]) -> float | None:
    total = sum(decided.values())
    return decided.get("approved", 0) / total if total else None


def _effort(now: Counts) -> StatsTable:
    undone = _by(now, Kind.UNDONE, 0)
    seconds = histograms(now, Kind.EFFORT)
    rows = [
        FigureRow(
            {
                "decision": kind,
                "decisions": sums.number,
                "edits": sums.total,
                "undone": undone.get(kind, Sums()).number,
                "p50_s": quantile(seconds.get(kind, {}), 0.5),
            },
            {"decisions": Figure(Kind.EFFORT, (kind,)), "undone": Figure(Kind.UNDONE, (kind,))},
        )
        for kind, sums in sorted(_by(now, Kind.EFFORT, 0).items())
    ]
    return StatsTable("effort", ("decision", "decisions", "edits", "undone", "p50_s"), tuple(rows))


def histograms(counts: Counts, kind: Kind) -> dict[str, dict[int, int]]:
    """Return {first key: {bucket: number}}; the second key of the kind is the bucket, "" if unknown."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for keys, sums in sums_of_kind(counts, kind):
        if keys[1]:
            found[keys[0]][int(keys[1])] = sums.number
    return found


def _escalated(counts: Counts) -> dict[str, Sums]:
    return {keys[1]: sums for keys, sums in sums_of_kind(counts, Kind.RUN) if keys[0] == "escalated"}


def _by(counts: Counts, kind: Kind, place: int) -> dict[str, Sums]:
    """Return the sums of a kind by one of its keys."""
    grouped: dict[str, list[Sums]] = defaultdict(list)
    for keys, sums in sums_of_kind(counts, kind):
        grouped[keys[place]].append(sums)
    return {key: _added(group) for key, group in grouped.items()}


def _added(found: Iterable[Sums]) -> Sums:
    columns = list(zip(*found, strict=True))
    return Sums(*(sum(column) for column in columns)) if columns else Sums()


def _number(calls: Sequence[tuple[tuple[str, ...], Sums]], fits: Callable[[tuple[str, ...]], bool]) -> int:
    return sum(sums.number for keys, sums in calls if fits(keys))


def _most(here: Mapping[Any, Sums], there: Mapping[Any, Sums]) -> list[Any]:
    """Return the keys of both, the most frequent first."""
    return sorted({*here, *there}, key=lambda key: (-here.get(key, Sums()).number, key))


def _counted(
    column: str,
    value: str,
    here: Mapping[Any, Sums],
    there: Mapping[Any, Sums],
    figure: Figure,
    *,
    key: Any = None,
    name: str = "runs",
    share_of: int | None = None,
    more: Mapping[str, Value] | None = None,
) -> FigureRow:
    """Return a line with a number, the number of the period before, and the share of a total."""
    key = value if key is None else key
    number = here.get(key, Sums()).number
    share = number / share_of if share_of else None
    values = {column: value, **(more or {}), name: number, "share": share, "before": there.get(key, Sums()).number}
    return FigureRow(values, {name: figure})
