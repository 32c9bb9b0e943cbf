"""Fabricated quotations: each a passage's sentence with something changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from lab.bench.research.citing.passages import Entry

_OPPOSITES = (
    "rose fell|fell rose|more fewer|fewer more|first last|before after|after before|largest smallest|none most|"
    "half all|below above|lowest highest|lost found|longer shorter|sooner later|on off|with without|best worst|"
    "years months|bajó subió|subió bajó|antes después|primera última|mayoría minoría|ninguna alguna|ningún algún|"
    "solo hasta|comenzaron terminaron|cerró abrió|perdió ganó|con sin|años meses|días semanas|padres madres|"
    "fathers mothers"
)
_NEGATIONS = re.compile(
    r"\b(not|never|no|No|None|Nobody|nobody|nunca|Ningún|Ninguna|Ninguno|"
    r"ninguna|jamás|Tampoco|none|nada|ni|sin|without)\b "
)
_VERBS = re.compile(
    r" (did|was|were|had|has|have|rose|fell|helped|survived|met|kept|bought|costs?|"
    r"fue|era|bajó|subió|perdió|pesa|dura|produce|votó|halló|reunió|representaban|incluyó) "
)
_NAME = re.compile(r"(?<=[a-zñ,.áéíóú] )[A-ZÁÉÍÓÚ]\w+ [A-ZÁÉÍÓÚ][\w-]+")
_CLAUSES = (
    ", as the authors stress", ", which surprised everyone", " according to the ministry", " in most cases",
    ", sobre todo en invierno", ", según los autores", " casi siempre", " en la mayoría de los casos",
)  # fmt: skip


def negates(sentence: str) -> bool:
    """Whether a sentence holds a "not" or one of its kin."""
    return bool(_NEGATIONS.search(sentence))


def fakes(entry: Entry, others: Sequence[Entry], random: Random) -> Iterator[tuple[str, str]]:
    """Yield pairs of kind and fake, each with one thing changed; no passage contains any of them."""
    clean = " ".join(other.text for other in others).casefold()
    for kind, fake in _planted(entry, others, random):
        if fake.strip(" .,").casefold() not in clean:
            yield kind, fake


def _planted(entry: Entry, others: Sequence[Entry], random: Random) -> Iterator[tuple[str, str]]:
    yield from (("rewritten", distortion) for distortion in entry.distortions)
    sentences = [sentence for sentence in entry.sentences if len(sentence.split()) > 3]
    for sentence in sentences:
        for kind, change in _CHANGES.items():
            changed = change(sentence, random)
            if changed != sentence:
                yield kind, changed
        names = _NAME.findall(random.choice(others).text)
        if names and _NAME.search(sentence):
            yield "name", _NAME.sub(random.choice(names), sentence, count=1)
    yield "spliced", _halves(sentences[0], sentences[2])
    yield "spliced", _halves(sentences[1], random.choice(others).sentences[0])
    yield "skipped", f"{sentences[0]} {sentences[2]}"
    yield "reversed", f"{sentences[2]} … {sentences[0]}"
    yield "of two sources", f"{sentences[0]} … {random.choice([o for o in others if o is not entry]).sentences[1]}"


def _halves(first: str, second: str) -> str:
    one, two = first.split(" "), second.split(" ")
    return " ".join([*one[: max(3, len(one) // 2)], *two[-max(3, len(two) // 2) :]])


def _digit(sentence: str, random: Random) -> str:
    places = [match.start() for match in re.finditer(r"\d", sentence)]
    if not places:
        return sentence
    at = random.choice(places)
    return sentence[:at] + str((int(sentence[at]) + random.randint(1, 8)) % 10) + sentence[at + 1 :]


def _decimals(sentence: str, random: Random) -> str:
    return re.sub(r"(\d)[.,](\d)", random.choice([r"\1\2", r"\1"]), sentence, count=1)


def _unit(sentence: str, random: Random) -> str:
    for unit, other in (
        (" %", " puntos"),
        ("%", ""),
        ("$", "€"),
        ("£", "$"),
        (" metres", " feet"),
        (" euros", " pesos"),
    ):
        if unit in sentence:
            return sentence.replace(unit, other, 1)
    return sentence


def _minus(sentence: str, random: Random) -> str:
    return re.sub(r"(?<= )(?=\d)", random.choice(["-", "−", "~", "<"]), sentence, count=1)


def _without_negation(sentence: str, random: Random) -> str:
    changed = _NEGATIONS.sub("", sentence, count=1)
    return changed if random.random() < 0.5 else changed[:1].upper() + changed[1:]


def _with_negation(sentence: str, random: Random) -> str:
    word = random.choice(["no", "nunca"]) if re.search(r"[áéíóúñ]| el | la | los ", sentence) else "not"
    if word == "not":
        return _VERBS.sub(rf" \1 {word} ", sentence, count=1)
    return _VERBS.sub(rf" {word} \1 ", sentence, count=1)


def _opposite(sentence: str, random: Random) -> str:
    pairs = [pair.split(" ") for pair in _OPPOSITES.split("|")]
    known = [(a, b) for a, b in pairs if re.search(rf"\b{a}\b", sentence)]
    if not known:
        return sentence
    word, other = random.choice(known)
    return re.sub(rf"\b{word}\b", other, sentence, count=1)


def _clause(sentence: str, random: Random) -> str:
    return sentence.rstrip(".") + random.choice(_CLAUSES) + "."


def _clause_within(sentence: str, random: Random) -> str:
    words = sentence.split(" ")
    at = len(words) // 2
    return " ".join([*words[:at], random.choice(["reportedly", "almost", "probablemente", "casi"]), *words[at:]])


def _word_dropped(sentence: str, random: Random) -> str:
    words = sentence.split(" ")
    del words[random.randrange(1, len(words) - 1)]
    return " ".join(words)


def _words_swapped(sentence: str, random: Random) -> str:
    words = sentence.split(" ")
    at = random.randrange(len(words) - 2)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _word_cut(sentence: str, random: Random) -> str:
    words = sentence.split(" ")
    long = [n for n, word in enumerate(words) if n >= 4 and word.isalpha() and len(word) > 6]
    return " ".join([*words[: long[0]], words[long[0]][:4]]) if long else sentence


_CHANGES: dict[str, Callable[[str, Random], str]] = {
    "digit": _digit,
    "decimals": _decimals,
    "unit": _unit,
    "sign": _minus,
    "negation removed": _without_negation,
    "negation inserted": _with_negation,
    "opposite": _opposite,
    "clause": _clause,
    "clause within": _clause_within,
    "word dropped": _word_dropped,
    "words swapped": _words_swapped,
    "word cut": _word_cut,
}
