"""A supervisor's model in Groq's wire format: names given gaps, works the excerpts in that it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tests.support.servers.answering_model import AnsweringModel
from tests.support.servers.groq_server import Behaviour, answer
from tests.support.servers.loopback import Response

_EXCERPT = re.compile(r'^<(e\d+) source="[^"]*">(?:\[before: [^\n]*?\] )?(.+)</e\d+>$', re.MULTILINE)


class SupervisingModel(AnsweringModel):
    """Each look names the next of `topics`, then the document passes. The same prompt has the same reply."""

    def __init__(self, topics: Sequence[str] = ("attachment theory", "scaffolding")) -> None:
        super().__init__()
        self.topics = list(topics)
        self._answers = self.otherwise
        self.otherwise = self._reply
        #: Played for a prompt of this purpose in place of the reply.
        self.instead: dict[str, Behaviour] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """What sets the model up."""
        return {"groq_api_key": self.key, "groq_base_url": self.url, "llm_max_attempts": 1}

    def _reply(self, body: dict[str, Any]) -> Response:
        system, user = (body["messages"][at]["content"] for at in (0, 1))
        named = next((name for name in ("Analysis", "Revision") if f'"title": "{name}"' in system), "")
        behaviour = self.instead.get(named) or {"Analysis": self._decision, "Revision": self._revision}.get(
            named, lambda _: self._answers
        )(user)
        return behaviour if isinstance(behaviour, Response) else behaviour(body)

    def _decision(self, user: str) -> Behaviour:
        look = int(re.search(r"Look (\d+) of", user)[1])  # type: ignore[index]
        if look > len(self.topics):
            return answer({"reasoning": "It stands.", "confidence": 0.8, "gap": None})
        return answer(decision(self.topics[look - 1]))

    def _revision(self, user: str) -> Behaviour:
        sentences = [
            {"text": words, "quotes": [{"excerpt": name, "words": words}]}
            for name, words in _EXCERPT.findall(user)[:2]
        ]
        return answer({"insertions": [{"after": 1, "sentences": sentences}]})


def decision(topic: str, **values: object) -> dict[str, object]:
    """A reply that names a gap."""
    gap = {
        "topic": topic,
        "section": "what-the-evenings-are",
        "kind": "foundational_concepts",
        "severity": "significant",
        "why": f"What is reported rests on {topic}, which is not explained.",
        "searches": [topic, f"{topic} fathers"],
        "guidance": "Explain it where the evenings are described.",
    }
    return {"reasoning": "A gap.", "confidence": 0.9, "gap": gap, **values}


def unusable() -> Behaviour:
    """A gap without a topic."""
    return answer(json.dumps({"reasoning": "Somewhere.", "confidence": 0.5, "gap": {"severity": "minor"}}))
