"""A supervisor's model in Groq's wire format: names given gaps, works the excerpts in that it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tests.support.servers.answering_model import AnsweringModel
from tests.support.servers.groq_server import Behaviour, answer
from tests.support.servers.loopback import Response

_EXCERPT = re.compile(r"^\[@(\S+)\] (.+)$", re.MULTILINE)
_SECTION = re.compile(
    r"Sections that you may rewrite:\n\[(\S+)\] ([^\n]+)\n(.*?)(?=\n\n\[[a-z0-9-]+\] |\Z)", re.DOTALL
)


class SupervisingModel(AnsweringModel):
    """Each look names the next of `topics`, then the document passes. The same prompt has the same reply."""

    def __init__(self, topics: Sequence[str] = ("attachment theory", "scaffolding")) -> None:
        super().__init__()
        self.topics = list(topics)
        self._answers = self.otherwise
        self.otherwise = self._reply
        #: Played for a prompt of this purpose in place of the reply.
        self.instead: dict[str, Behaviour] = {}

    def _reply(self, body: dict[str, Any]) -> Response:
        system, user = (body["messages"][at]["content"] for at in (0, 1))
        named = next((name for name in ("SupervisorDecision", "Revision") if f'"title": "{name}"' in system), "")
        behaviour = self.instead.get(named) or {
            "SupervisorDecision": self._decision,
            "Revision": self._revision,
        }.get(named, lambda _: self._answers)(user)
        return behaviour if isinstance(behaviour, Response) else behaviour(body)

    def _decision(self, user: str) -> Behaviour:
        look = int(re.search(r"Look (\d+) of", user)[1])  # type: ignore[index]
        if look > len(self.topics):
            return answer({"action": "pass_through", "reasoning": "It stands.", "confidence": 0.8})
        return answer(decision(self.topics[look - 1]))

    def _revision(self, user: str) -> Behaviour:
        excerpts = _EXCERPT.findall(user.partition("Map of the sections:")[0])[:2]
        key, heading, section = _SECTION.search(user).groups()  # type: ignore[union-attr]
        said = " ".join(f"{quote.rstrip('.')} [@{source}]." for source, quote in excerpts)
        return answer(
            {
                "sections": [{"key": key, "heading": heading, "body": f"{section.strip()} {said}"}],
                "quotes": [{"key": source, "quote": quote} for source, quote in excerpts],
            }
        )


def decision(topic: str, **values: object) -> dict[str, object]:
    """A reply that names a gap."""
    issue = {
        "topic": topic,
        "section": "what-the-evenings-are",
        "issue_type": "foundational_concepts",
        "severity": "significant",
        "rationale": f"What is reported rests on {topic}, which is not explained.",
        "suggested_queries": [topic],
        "foundational_concepts": [topic],
        "integration_guidance": "Explain it where the evenings are described.",
    }
    return {"action": "research_needed", "reasoning": "A gap.", "issue": issue, "confidence": 0.9, **values}


def unusable() -> Behaviour:
    """Research wanted, and no issue named."""
    return answer(json.dumps({"action": "research_needed", "reasoning": "Somewhere.", "confidence": 0.5}))
