"""State the limits of a report: what could not be found, read or verified."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.config import Language
from research.meaning import NoMeaning, Text, covering
from research.memo import GapState
from research.memo.gap_messages import DIVERSE_SOURCES
from research.words import phrases_of
from research.writing.desk import Desk

#: Most words of a phrase for what was not found.
_WORDS = 12
#: Most names of items left out that are told.
_NAMED = 3
#: What such a phrase may not hold, because nothing proves it: numbers, addresses, markup.
_CLAIMS = re.compile(r"[\d<>\[\]{}|@:]|www\.", re.IGNORECASE)


def limits_of(desk: Desk, own: Sequence[str], left_out: int = 0) -> tuple[str, ...]:
    """Return `own`, what the reader could not do or left out, also in the rounds, and problems of the rounds.

    `left_out`: number of drafted sentences that were not published. No limit is told twice.
    """
    words, material, memo = desk.words, desk.material, desk.material.memo
    found = [*own]
    if told := dict.fromkeys([*memo.unread, *desk.reader.log.unread_parts]):
        parts = [words.get(f"part_{part}", part.removeprefix("section: ")) for part in told]
        found.append(words["by_rule"].format(parts=", ".join(parts)))
    if names := list(dict.fromkeys(name for name, _ in memo.left_out)):
        found.append(words["items_left_out"].format(count=len(names), names=", ".join(names[:_NAMED])))
    if memo.unproven:
        found.append(words["unproven"].format(count=memo.unproven))
    if left_out:
        found.append(words["dropped"].format(count=left_out))
    if any(gap.missing_topic == DIVERSE_SOURCES and gap.state is not GapState.CLOSED for gap in memo.gaps):
        found.append(words["few_domains"].format(wanted=material.config.min_total_domains))
    if failed := sum(result.status == "failed" for result in material.results):
        found.append(words["tasks_failed"].format(all=len(material.results), failed=failed))
    return tuple(dict.fromkeys([*found, *material.troubles]))


def missing_topics(missing: Sequence[str], text: Sequence[str], query: str, language: Language) -> list[str]:
    """Return sentences on what the report says nothing about: nothing that its own text has the words of.

    `missing`: parts of the request, which are no claims or stand in the `query`. `text`: published sentences.
    """
    asked = " ".join(query.casefold().split())
    told = [" ".join(one.split()).rstrip(".;") for one in missing]
    topics = [one for one in told if _is_phrase(one) or (one and one.casefold() in asked)]
    # By words alone: a vector of another subject may be near.
    said = covering(topics, [Text(one, language) for one in text], NoMeaning())
    left = [topic for topic, is_said in zip(topics, said, strict=True) if not is_said]
    return [phrases_of("wording", language)["topic_open"].format(topic=topic) for topic in dict.fromkeys(left)]


def _is_phrase(topic: str) -> bool:
    return 0 < len(topic.split()) <= _WORDS and not _CLAIMS.search(topic)
