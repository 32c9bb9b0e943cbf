"""Pairs of a request to a model and its reply, kept in folders and found by the request's messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASSETTES = Path(__file__).resolve().parent.parent / "data" / "cassettes"
_REQUEST, _REPLY = ".request.json", ".reply.txt"

Messages = Sequence[dict[str, Any]]


def key_of(messages: Messages) -> str:
    """The same for the same messages, whatever else the request says."""
    told = json.dumps(messages, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Cassette:
    """A folder of pairs, `KEY.request.json` and `KEY.reply.txt`."""

    folder: Path

    @property
    def keys(self) -> set[str]:
        """Of all pairs."""
        return {path.name.removesuffix(_REPLY) for path in self.folder.glob(f"*{_REPLY}")}

    def reply(self, key: str) -> str | None:
        """Word for word, or None."""
        path = self.folder / f"{key}{_REPLY}"
        return path.read_text(encoding="utf-8") if path.is_file() else None

    def messages(self, key: str) -> Messages:
        """Of the request of a pair."""
        told = json.loads((self.folder / f"{key}{_REQUEST}").read_text(encoding="utf-8"))
        return list(told["messages"])

    def keep(self, messages: Messages, reply: str) -> None:
        """Add a pair."""
        self.folder.mkdir(parents=True, exist_ok=True)
        key = key_of(messages)
        told = json.dumps({"messages": messages}, indent=1, ensure_ascii=False)
        (self.folder / f"{key}{_REQUEST}").write_text(f"{told}\n", encoding="utf-8")
        (self.folder / f"{key}{_REPLY}").write_text(reply, encoding="utf-8")

    def drop(self, key: str) -> None:
        """Remove a pair."""
        for ending in (_REQUEST, _REPLY):
            (self.folder / f"{key}{ending}").unlink(missing_ok=True)


def cassette(name: str) -> Cassette:
    """One of those that are committed."""
    return Cassette(CASSETTES / name)
