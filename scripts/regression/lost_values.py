"""What changed between two runs over the same files, value by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Verdicts from good to bad; values that are right or rightly empty are not faults.
_RANK = {None: 0, "missed": 1, "wrong": 2, "invented": 2}
_Files = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Change:
    """One value, split, pass or reading that is better or worse than before."""

    what: str
    file: str
    kind: str | None
    pages: tuple[int | None, int | None] | None
    before: str
    after: str
    worse: bool

    def __str__(self) -> str:
        pages = f" p. {self.pages[0]}–{self.pages[1] or 'end'}" if self.pages else ""
        kind = f" ({self.kind})" if self.kind else ""
        return f"{self.what} in {self.file!r}{pages}{kind}: before {self.before}, after {self.after}"


def changes(now: _Files, before: _Files) -> Iterator[Change]:
    """Yield every value, split, pass and reading whose result changed; both reports hold the same files."""
    old = {file["sha256"]: file for file in before}
    for file in now:
        yield from _file_changes(file, old[file["sha256"]])


def _file_changes(new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[Change]:
    name, kind = new["file"], new.get("kind")
    if bool(new["error"]) != bool(old["error"]):
        yield Change(
            "reading", name, kind, None, old["error"] or "read", new["error"] or "read", bool(new["error"])
        )
    if "entries" not in new or "entries" not in old:
        return
    if new["split_right"] != old["split_right"]:
        words = ("wrong", "right")
        yield Change(
            "split", name, kind, None, words[old["split_right"]], words[new["split_right"]], old["split_right"]
        )
    entries = {_key(entry): entry for entry in old["entries"]}
    for entry in new["entries"]:
        yield from _entry_changes(entry, entries.get(_key(entry), _NOTHING), name, kind)


#: An entry that a run did not come up with at all has no faults.
_NOTHING: Mapping[str, Any] = {"faults": {}, "passed": False, "silent_wrong": False}


def _key(entry: Mapping[str, Any]) -> tuple[str, int]:
    """Labelled entries by their pages, others by the pages that were read."""
    if entry["pages"]:
        return "label", entry["pages"][0]
    return "read", (entry.get("pages_read") or [0])[0]


def _entry_changes(
    new: Mapping[str, Any], old: Mapping[str, Any], file: str, kind: str | None
) -> Iterator[Change]:
    first, last = new["pages"] or new["pages_read"]
    for name in sorted(new["faults"].keys() | old["faults"].keys()):
        after, before = new["faults"].get(name), old["faults"].get(name)
        step = _rank(after) - _rank(before)
        if step:
            true = (after or before or {}).get("true")
            yield Change(
                name, file, kind, (first, last), _described(before, true), _described(after, true), step > 0
            )
    if new["passed"] != old["passed"] and old is not _NOTHING:
        # Passing is a gain only where nothing is wrong, and being held back a loss.
        worse = new["silent_wrong"] if new["passed"] else not old["silent_wrong"]
        words = ("held for review", "passed")
        yield Change("review", file, kind, (first, last), words[old["passed"]], words[new["passed"]], worse)


def _rank(fault: Mapping[str, Any] | None) -> int:
    return _RANK[fault["verdict"]] if fault else 0


def _described(fault: Mapping[str, Any] | None, true: Any) -> str:
    """`right 'x'`, `missed 'x'`, `wrong 'y' for 'x'`, `invented 'y'`."""
    if fault is None:
        return f"right {true!r}" if true is not None else "rightly empty"
    if fault["verdict"] == "missed":
        return f"missed {true!r}"
    wanted = f" for {true!r}" if true is not None else ""
    return f"{fault['verdict']} {fault['predicted']!r}{wanted}"
