"""A model in OpenAI's wire format whose replies stand in a cassette; what it does not have it may collect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.plain_data import token_count
from tests.support.cassettes import Cassette, Messages, key_of
from tests.support.servers.groq_server import GroqServer, answer, refusal
from tests.support.servers.loopback import Response

#: Characters of a system prompt that tell one kind of question from another.
_KIND = 60


class CassettePlayer(GroqServer):
    """Answers from `cassette`; any other request is refused, and written to `wanted` where that is given.

    Of one run only the requests of the first question without a reply are kept: what is asked after it depends on
    its answer, and would be asked otherwise.
    """

    def __init__(self, cassette: Cassette, wanted: Path | None = None) -> None:
        super().__init__(otherwise=self._answer)
        self.cassette = cassette
        self.wanted = wanted
        #: Keys of the requests that it had, and of those that must be recorded anew.
        self.played: set[str] = set()
        self.missed: dict[str, Messages] = {}
        #: Requests, and their tokens with those of the replies.
        self.calls = 0
        self.tokens = 0
        self.begin()

    def begin(self, *, one_by_one: bool = False) -> None:
        """Begin another run, whose requests depend on no earlier one.

        `one_by_one`: every question depends on the reply before it, also one of the same kind.
        """
        self._kind: str | None = None
        self._is_over, self._one_by_one = False, one_by_one

    def _answer(self, body: dict[str, Any]) -> Response:
        messages: Messages = body["messages"]
        key = key_of(messages)
        reply = self.cassette.reply(key)
        if reply is None:
            self._miss(key, messages)
            return refusal(404, "no reply was recorded for this request", "not_recorded")
        self.played.add(key)
        asked, said = sum(token_count(str(one["content"])) for one in messages), token_count(reply)
        self.calls += 1
        self.tokens += asked + said
        made = answer(reply, tokens=(asked, said))
        assert callable(made)
        return made(body)

    def _miss(self, key: str, messages: Messages) -> None:
        kind = str(messages[0]["content"])[:_KIND]
        after_a_miss = self._kind is not None and (self._one_by_one or kind != self._kind)
        self._is_over = self._is_over or after_a_miss
        self._kind = kind
        if self._is_over or key in self.missed:
            return
        self.missed[key] = messages
        if self.wanted is not None:
            write_wanted(self.wanted, key, messages)


def write_wanted(folder: Path, key: str, messages: Messages) -> None:
    """Write a request as the next `NNNN.request.json` of a folder, unless it stands there already."""
    folder.mkdir(parents=True, exist_ok=True)
    standing = sorted(folder.glob("[0-9]*.request.json"))
    if any(json.loads(path.read_text(encoding="utf-8"))["key"] == key for path in standing):
        return
    number = 1 + max((int(path.name.partition(".")[0]) for path in standing), default=0)
    told = json.dumps({"key": key, "messages": messages}, indent=1, ensure_ascii=False)
    part = folder / f"{number:04}.part"
    part.write_text(f"{told}\n", encoding="utf-8")
    part.rename(folder / f"{number:04}.request.json")
