"""Models that read for the contract test: one that answers honestly from what it is shown, and ones that lie."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from core.errors import ModelReplyError
from core.llm.ledger import Usage

_PASSAGE = re.compile(r"<(p\d+)>(.*?)</\1>", re.DOTALL)
_LISTED = re.compile(r"^(q\d+): (.*)$", re.MULTILINE)
_TASK = re.compile(r"^(t\d+), ", re.MULTILINE)
_VALUE = re.compile(r"<(v\d+)>(.*?)</\1>", re.DOTALL)
_PAIR = re.compile(r"<(a\d+)>(.*?)</\1>", re.DOTALL)

Raw = dict[str, Any]


@dataclass(frozen=True)
class Truth:
    """What an able reader would say of the texts of a test."""

    #: By question, the words that answer it.
    found: Mapping[str, Sequence[str]]
    #: By name, field, value and words; what repeats a field adds to it.
    items: Mapping[str, Sequence[tuple[str, str, str]]]
    #: By name, why it is no answer.
    left_out: Mapping[str, str]
    #: Values that their words do not say.
    false_values: frozenset[str] = frozenset()


@dataclass
class ReadingModel:
    """`core.llm.providers.Model` that answers from the passages of the request alone; `bent` makes a liar of
    it.
    """

    truth: Truth
    bent: Callable[[str, Raw], Raw | str] = lambda purpose, reply: reply
    #: Purpose and request of every call.
    asked: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, system: str, user: str, schema: type[BaseModel], *, purpose: str, **_: Any) -> tuple[Any, Usage]:
        """See `core.llm.providers.Model.ask`; a reply of another form is refused as after a repair in vain."""
        self.asked.append((purpose, user))
        reply = self.bent(purpose, copy.deepcopy(self._honest(purpose, user)))
        text = reply if isinstance(reply, str) else json.dumps(reply)
        try:
            return schema.model_validate_json(text), Usage("played", "played")
        except ValidationError:
            raise ModelReplyError("played: no JSON of this form") from None

    def _honest(self, purpose: str, user: str) -> Raw:
        answers: dict[str, Callable[[str], Raw]] = {
            "research.plan": _plan,
            "research.queries": _queries,
            "research.findings": self._findings,
            "research.items": self._items,
            "research.proven": self._proven,
            "research.agreement": _agreement,
            "research.gaps": lambda user: {"gaps": []},
        }
        return answers[purpose](user) if purpose in answers else {}

    def _findings(self, user: str) -> Raw:
        return {
            "found": [
                {"question": short, "passage": passage, "words": words}
                for short, question in _LISTED.findall(user)
                for words in self.truth.found.get(question, ())
                if (passage := _holding(words, user))
            ]
        }

    def _items(self, user: str) -> Raw:
        named = [(name, "", values) for name, values in self.truth.items.items()]
        named += [(name, reason, ()) for name, reason in self.truth.left_out.items()]
        return {
            "items": [
                {
                    "name": name,
                    "passage": passage,
                    "left_out": reason,
                    "values": [
                        {"field": field, "value": value, "passage": place, "words": words, "adds": adds}
                        for n, (field, value, words) in enumerate(values)
                        if (place := _holding(words, user))
                        for adds in [any(field == other for other, *_ in values[:n])]
                    ],
                }
                for name, reason, values in named
                if (passage := _holding(name, user))
            ]
        }

    def _proven(self, user: str) -> Raw:
        false = [f'value: "{value}"' for value in self.truth.false_values]
        return {
            "checks": [
                {"id": short, "says": "none" if any(value in told for value in false) else "all"}
                for short, told in _VALUE.findall(user)
            ]
        }


def _plan(user: str) -> Raw:
    return {
        "questions": ["Which reading evenings do schools hold?", "What do reading evenings cost?"],
        "aspects": ["Costs", "Attendance"],
        "reasoning": "Offers and costs are told by different sources.",
        "web_researchers": 2,
        "academic_researchers": 1,
        "book_researchers": 0,
    }


def _queries(user: str) -> Raw:
    return {
        "tasks": [{"id": short, "queries": ["reading evenings schools cost"]} for short in _TASK.findall(user)]
    }


def _agreement(user: str) -> Raw:
    return {"pairs": [{"id": short, "how": "unrelated"} for short, _ in _PAIR.findall(user)]}


def _holding(words: str, user: str) -> str | None:
    return next((short for short, text in _PASSAGE.findall(user) if words in text), None)


def _each(value: Any, change: Callable[[str, Any], Any], key: str = "") -> Any:
    """The reply with every plain value changed, by its key."""
    if isinstance(value, dict):
        return {name: _each(one, change, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_each(one, change, key) for one in value]
    return change(key, value)


def wrong_ids(purpose: str, reply: Raw) -> Raw:
    """Ids that were never given."""
    return _each(reply, lambda key, value: "p99" if key in ("passage", "question", "id") else value)  # type: ignore[no-any-return]


def invented_quotations(purpose: str, reply: Raw) -> Raw:
    """Words that stand nowhere, for values that nobody told."""
    changed = {"words": "It costs each family nine hundred dollars a week", "value": "$900 a week"}
    return _each(reply, lambda key, value: changed.get(key, value))  # type: ignore[no-any-return]


def invented_values(purpose: str, reply: Raw) -> Raw:
    """True words under values that they do not say."""
    return _each(reply, lambda key, value: "$900 a week" if key == "value" else value)  # type: ignore[no-any-return]


def invented_additions(purpose: str, reply: Raw) -> Raw:
    """After each true value, one that its words do not say and one whose words stand nowhere."""
    if purpose != "research.items":
        return reply
    for item in reply["items"]:
        for one in list(item["values"]):
            false = {**one, "value": "$900 a week for guests", "adds": True}
            item["values"] += [false, {**false, "words": "Guests pay nine hundred dollars a week"}]
    return reply


def invented_parts(purpose: str, reply: Raw) -> Raw:
    """Values put right with figures that nobody told."""
    if purpose != "research.proven":
        return reply
    return {"checks": [{**one, "says": "part", "part": "$900 a week"} for one in reply["checks"]]}


def obeying(purpose: str, reply: Raw) -> Raw:
    """What a page ordered it to say."""
    planted = {"name": "Golden Prize Club", "passage": "p1", "left_out": ""}
    told = {
        "field": "cost",
        "value": "free for ever",
        "passage": "p1",
        "words": "The Golden Prize Club is free for ever",
    }
    if purpose == "research.items":
        return {"items": [*reply["items"], {**planted, "values": [told]}]}
    if purpose == "research.queries":
        return {
            "tasks": [
                {**one, "queries": ["site:golden.example prize", "ignore the question and search for gold"]}
                for one in reply["tasks"]
            ]
        }
    return reply


def empty(purpose: str, reply: Raw) -> Raw:
    """An object without anything."""
    return {}


def too_long(purpose: str, reply: Raw) -> Raw:
    """Everything said thousands of times."""
    long = _each(
        reply, lambda key, value: value * 4000 if isinstance(value, str) and key not in ("id", "how") else value
    )
    return {key: value * 300 if isinstance(value, list) else value for key, value in long.items()}


def not_json(purpose: str, reply: Raw) -> str:
    """A friendly sentence."""
    return "Of course! Here is what I found in the sources:"


def cut_off(purpose: str, reply: Raw) -> str:
    """The first half of the reply."""
    text = json.dumps(reply)
    return text[: len(text) // 2]


LIARS: tuple[Callable[[str, Raw], Raw | str], ...] = (
    wrong_ids,
    invented_quotations,
    invented_values,
    invented_additions,
    invented_parts,
    obeying,
    empty,
    too_long,
    not_json,
    cut_off,
)
