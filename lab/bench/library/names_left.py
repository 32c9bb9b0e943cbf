"""Count the planted mentions that are left in essays, and the words wrongly taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.bench.library.planted import PEOPLE_OF_SENTENCES, Mention, Planted, draw_essays
from lab.bench.measure import Measure, Target, at_least, measured
from pipeline.extraction.labelling.features import name_rank
from pipeline.extraction.values.text import plain_text
from services.library.essays.add_essays import clean_essay
from services.library.essays.words import WORD, listed_words

SEEDS = {False: 131, True: 1313}
ESSAYS = 400
_UNLISTED = "99"


@dataclass
class Count:
    """What became of the mentions and words of a set of essays."""

    mentions: int = 0
    left: list[Mention] = field(default_factory=list)
    #: Left in an essay that waits for a person because of that very word.
    held: list[Mention] = field(default_factory=list)
    taken: int = 0
    #: Words taken out that were not planted.
    wrongly: Counter[str] = field(default_factory=Counter)
    words: int = 0
    doubted: Counter[str] = field(default_factory=Counter)
    essays: int = 0
    waiting: int = 0
    unlisted: int = 0
    names: int = 0


def count(essays: Iterable[Planted]) -> Count:
    """Take the names out of each essay and count."""
    found = Count()
    for essay in essays:
        cleaned = clean_essay(essay.text, {}, {})
        doubts = {doubt.key for doubt in cleaned.doubts}
        planted = {
            plain_text(part) for mention in essay.mentions for word in mention.words for part in WORD.findall(word)
        }
        if any(mention.kind == "address" for mention in essay.mentions):
            planted |= listed_words("street", "calle") | {"north"}
        for mention in essay.mentions:
            _count_mention(found, mention, cleaned.text, doubts)
        taken = _words(essay.text) - _words(cleaned.text)
        found.taken += sum(taken.values())
        wrongly = {word: number for word, number in taken.items() if not _is_planted(word, planted)}
        found.wrongly.update(wrongly)
        found.words += sum(_words(essay.text).values())
        found.doubted.update(key for key in doubts if not _is_planted(key, planted))
        found.essays += 1
        found.waiting += bool(doubts)
        found.names += len(planted)
        found.unlisted += sum(name_rank(word) == _UNLISTED for word in planted)
    return found


def _count_mention(found: Count, mention: Mention, text: str, doubts: set[str]) -> None:
    found.mentions += 1
    standing = set(text.lower().split())
    words = {word.strip(".,!?;:'\"()@").removesuffix("'s") for word in standing}
    left = [word for word in mention.words if word.lower() in words or f"{word.lower()}s" in words]
    if left and all(plain_text(word) in doubts for word in left):
        found.held.append(mention)
    elif left:
        found.left.append(mention)


def _words(text: str) -> Counter[str]:
    words = (plain_text(word).removesuffix("'s") for word in WORD.findall(text) if len(word) > 1)
    return Counter(word for word in words if word not in PEOPLE_OF_SENTENCES)


def _is_planted(word: str, planted: set[str]) -> bool:
    return word in planted or word.removesuffix("s") in planted


def measure() -> list[Measure]:
    """Measure both parts; the detector was developed on the first, and never changed after the other was seen."""
    measures: list[Measure] = []
    for held_out in (False, True):
        found = count(draw_essays(SEEDS[held_out], ESSAYS, held_out=held_out))
        measures += _measures(found, "held out" if held_out else "development", judged=held_out)
    return measures


def _measures(found: Count, part: str, *, judged: bool) -> list[Measure]:
    def share(name: str, value: float, target: Target | None, how: str) -> Measure:
        return measured(f"{name}, {part}", value, "share", target if judged else None, how)

    gone = 1 - len(found.left) / found.mentions
    alone = 1 - (len(found.left) + len(found.held)) / found.mentions
    wrongly = sum(found.wrongly.values())
    return [
        share(
            "names_left_recall",
            gone,
            at_least(0.98),
            f"of {found.mentions} planted mentions in {found.essays} essays, those without a word standing in "
            "a text that officers read; names, sentences and kinds held out were never tuned on",
        ),
        share("taken out without a person", alone, None, "the same, without those that wait for a person"),
        share(
            "words taken out that were planted",
            1 - wrongly / found.taken,
            None,
            f"of {found.taken} words taken out",
        ),
        share("other words taken out", wrongly / found.words, None, f"of {found.words} words"),
        share("essays that wait for a person", found.waiting / found.essays, None, f"of {found.essays} essays"),
        share(
            "planted words in no list of names",
            found.unlisted / found.names,
            None,
            f"of {found.names} planted words",
        ),
    ]
