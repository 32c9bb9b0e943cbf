"""What a request asks: its parts, aspects, subject and search terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from research.questions.catalog_fields import named_fields, without_fields
from research.questions.wording import ENDS, MARKS, QueryToken, classes_of, fold_words, query_numbers, query_tokens
from research.report_type import read
from research.text.language import content_stems, stop_words, word_list

_BREAK = re.compile(r"(?<=[?!;])\s+|(?<=[.:])\s+(?=[(¿¡A-ZÁÉÍÓÚÑ])|\n+|(?=¿)|(?<!\s)\s++(?=\([a-h1-9]\)\s)")
#: The label of an entry of a list: "(a)", "2.", "-".
_LABEL = re.compile(r"^(?:\(?[a-h1-9][.)]|[-•*–])\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CLAUSE = re.compile(r"[,;:(?!.]|\s[-–—]\s")
_LEAST_WORDS, _MOST_WORDS = 3, 40
_QUESTION_WORDS = frozenset(("many", "much", "whether", "anything", "something", "anybody", "anyone"))
_QUESTION_WORDS |= {
    "si",
    "qué",
    "cómo",
    "cuánto",
    "cuánta",
    "cuántos",
    "cuántas",
    "cuál",
    "cuáles",
    "quién",
    "quiénes",
}
#: Fewest parts for which a request is divided, and most words of a heading.
_SEVERAL, _HEADING = 2, 5
#: Words for essays; "ensayos clínicos" are trials.
_ESSAYS = re.compile(
    r"\b(?:essays?|entries|redacci(?:ón|ones)|ensayos?(?!\s+(?:cl[ií]nic|aleatori|control|piloto|de\s+campo)))\b",
    re.IGNORECASE,
)
#: Phrases that name the essays as a collection; essays themselves do not contain them.
_OF_ESSAYS = re.compile(
    r"\b(?:(?:this|the|last|our|esta|la)\s+)?(?:season(?:'s|’s)?|temporada|contest(?:'s|’s)?|concurso)\b",
    re.IGNORECASE,
)
#: Most aspects; letters often ask seven or eight things.
_MAX_ASPECTS = 8
#: Most words of a question that becomes an aspect unchanged.
_MAX_WHOLE = 8
#: "Qué pena" exclaims.
_ACCENTED = r"qué(?! (?:pena|bien|bueno|lástima|vergüenza)\b)|cómo"
_ACCENTED += "|quién|quiénes|por qué|cuándo|dónde|cuál|cuáles|cuánto|cuánta|cuántos|cuántas"
_ASKING_WORDS = f"what|how|who|whom|whose|why|when|where|which|whether|{_ACCENTED}"
_VERBS = "has|have|does|do|did|is|are|was|were|can|could|will|would|should"
_SOMEBODY = (
    "i|we|they|he|she|it|you|there|this|that|these|those|the|an?|any(?:body|one|thing)?|some(?:body|one|thing)?"
)
#: "does it", "is there": a verb and its subject at the start of a question.
_INVERTED = rf"(?:{_VERBS})\s+(?:{_SOMEBODY})\b"
#: The start of a sentence that is a question even without a question mark.
_ASKS = re.compile(rf"¿|(?:{_ASKING_WORDS}|{_VERBS})\b", re.IGNORECASE)
#: The start of a second question in a sentence: "…, and who pays?", "…, si comen más".
_ASKS_AGAIN = re.compile(
    rf"(?:[,;]\s*(?:(?:and|y|e|o)\s+)?|(?<!\s)\s++(?:[-–—]\s+)?(?:and|y|e|\+|&)\s+)(?=(?:{_ASKING_WORDS})\b|{_INVERTED})"
    r"|(?:[,;]\s*(?:y\s+)?|(?<!\s)\s++y\s+)(?=si\s)",
    re.IGNORECASE,
)
#: The start of a question in a statement: "I need to know whether…", "…: what it costs", "…, can they join in".
_BEGINS_TO_ASK = re.compile(
    r"\b(?:know|tell|tell (?:me|us)|ask|wonder|see|find out|show|explain|understand|learn|on|about"
    r"|saber|ver|decir(?:me|nos)?|preguntar|averiguar|explicar|entender|conocer|sobre)\s+"
    rf"(?=(?:{_ASKING_WORDS}|si)\b)"
    rf"|\b(?:ask|know|hear|wonder|saber|preguntar?)\s+(?:about|acerca de|sobre)\s+"
    rf"|:\s*(?=(?:{_ASKING_WORDS}|si)\b|{_INVERTED})"
    rf"|[,;]\s*(?:(?:and|but|y|pero)\s+)?"
    rf"(?=(?:what|how|why|whether|{_ACCENTED})\b|{_INVERTED})",
    re.IGNORECASE,
)
#: Breaks of a letter: those of a request, and before a question in lower case.
_LETTER_BREAK = re.compile(rf"{_BREAK.pattern}|(?<=\.)\s+(?=(?i:(?:{_ASKING_WORDS})\b|{_INVERTED}))")
#: A salutation, up to the first mark.
_SALUTATION = re.compile(
    r"(?<!\s)\s*+(?:dear|hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|to whom it may concern"
    r"|estimad[oa]s?|querid[oa]s?|apreciad[oa]s?|hola|buen[oa]s (?:d[ií]as|tardes|noches)|(?:un )?cordial saludo"
    r"|señor(?:a|as|es)?)\b[^,:.!?\n]*[,:.!\n]*\s*",
    re.IGNORECASE,
)
#: The writer's introduction, up to the request or the end of the sentence.
_INTRODUCTION = re.compile(
    r"(?<!\s)\s*+(?:(?:it['’]?s|this is)\s+(?!about|a\b|an\b|the\b)|i am|i['’]m|my name is|we are"
    r"|(?:le|les|te) (?:escribe|habla)|soy|somos|me llamo|mi nombre es)\b"
    r".*?(?=[.!?\n]|$|\b(?:i |we )?(?:need|want|would like|am looking|are looking)\b"
    r"|\b(?:necesit|quisi|querem|quier|busc)\w+)[.!?]*\s*",
    re.IGNORECASE | re.DOTALL,
)
#: Thanks, wishes and requests for kindness, which ask nothing.
_COURTESY = re.compile(
    r"\s*+(?:(?:many|with|much|best|kind|warm)\s+(?:thanks|regards|wishes)|thanks(?! to)|thank you|regards"
    r"|best(?=,|$)|sincerely|yours|cheers|cordially|respectfully|sent from|(?:i )?hope (?:you|this|all)"
    r"|how are you|(?:mil|much[ao]s|con)?\s*gracias"
    r"|(?:un |cordiales |con |reciba un )?(?:cordial |atento )?saludos?"
    r"|atentamente|cordialmente|quedo atent[oa]|espero que|¿?c[oó]mo (?:está|estás|están|le va))(?![\w’'])",
    re.IGNORECASE,
)
#: A name at the end of a letter: capitals and initials, with an addition in brackets.
_NAME = re.compile(r"(?>(?:(?:[A-ZÁÉÍÓÚÑ][\w'’-]*+\.?+|(?:de|del|la|van|von|y)\b)[ ,]*+)+)(?:\([^()]*+\))?")
#: A request to the reader of the letter: "Could you…", "¿Puede usted…?".
_TO_US = re.compile(
    r"(?:can|could|will|would|do) you\b|¿?(?:me |nos )?(?:puede|podría)"
    r"|(?=[^?]*+$)[^?]*\b(?:please|kindly|por favor)\b",
    re.IGNORECASE,
)
#: The end of a question: the end of its sentence, or a request to the reader.
_ENDS = re.compile(r"(?<=\w{3}[.?!])\s|,\s*(?:so\s+)?(?:please|kindly|por favor)\b", re.IGNORECASE)
#: The subject that a letter asks for.
_ON_SUBJECT = re.compile(
    r"\b(?:report|background|note|paper|briefing|information|info|informe|información|antecedentes|nota)"
    rf"\s+(?:on|about|sobre|acerca de)\s+(?!(?:{_ASKING_WORDS})\b)(?P<subject>[^.,;:?!(\n]+)",
    re.IGNORECASE,
)
#: Number of first sentences that may have the salutation and the introduction.
_OPENING = 3
_MAX_PHRASE = 4
_MAX_SUBJECT = 3
_PIECE = re.compile(rf"{_WORD.pattern}|[^\w\s]")


def asking_parts(query: str) -> list[str]:
    """Return the questions and list entries of a request with several; empty for a single sentence."""
    parts = [part.strip() for part in _BREAK.split(query) if part.strip()]
    asking = [_LABEL.sub("", part).rstrip(";. ") for part in parts if part.endswith("?") or _LABEL.match(part)]
    fit = [part for part in dict.fromkeys(asking) if _LEAST_WORDS <= len(part.split()) <= _MOST_WORDS]
    return fit if len(fit) >= _SEVERAL else []


def aspects_of(query: str, language: str) -> list[str]:
    """Return the aspects that a report should cover, in the words of the request, at most eight.

    A request with several questions has one aspect for each. A single question has its subject, and each field
    that it names: "with costs and evaluations".
    """
    if asking := _asked(query):
        found = [_heading_of(part, language) or part.strip(" ¿¡?!.,;") for part in asking]
    else:
        found = [*_whole(query, language), *named_fields(" ".join(request_sentences(query)))]
    return list(dict.fromkeys(one for one in found if content_stems(one, language)))[:_MAX_ASPECTS]


def question_on(aspect: str, query: str) -> str:
    """Return the part of a request that asks about an aspect, in its own words; the aspect itself if none does.

    For the subject of a single question it is the question: bare words are less similar to an answer.
    """
    if asking := _asked(query):
        return next((part for part in asking if aspect.casefold() in part.casefold()), aspect)
    whole, fields = _one_asked(query), map(str.casefold, named_fields(" ".join(request_sentences(query))))
    is_whole = len(whole.split()) <= _MOST_WORDS and aspect.casefold() not in fields
    return without_fields(whole).rstrip(". ") if is_whole else aspect


def subject_of_all(query: str, language: str) -> str:
    """Return the subject of a request with several questions: the stated one, else that of the questions."""
    return search_subject(
        _wanted(request_sentences(query)) or " ".join(_asked(query)) or _one_asked(query), language
    )


def _asked(query: str) -> list[str]:
    """Return the questions, list entries and asking clauses; empty if there is only one."""
    fit = _clauses(query)
    return fit if len(fit) >= _SEVERAL else []


def _clauses(query: str) -> list[str]:
    """Return each asking clause of a request, in its own words."""
    asking = (clause for part in request_sentences(query) for clause in _ASKS_AGAIN.split(_from_asking(part)))
    fit = (_ENDS.split(clause)[0].rstrip(";.,-– ") for clause in asking)
    return [clause for clause in fit if 1 < len(clause.split()) <= _MOST_WORDS]


def _from_asking(part: str) -> str:
    """Return a sentence or list entry from the start of its question; "" without a question."""
    label = _LABEL.match(part)
    text = " ".join(part[label.end() if label else 0 :].split())
    if label or (_ASKS.match(text) and not _TO_US.match(text)):
        return text
    found = _BEGINS_TO_ASK.search(text)
    if found:
        return text[found.end() :]
    return text if text.endswith("?") else ""


def request_sentences(query: str) -> list[str]:
    """Return the sentences and list entries of a request without the conventions of a letter.

    These are a salutation and an introduction at the start, and thanks, wishes and a name at the end.
    """
    parts = [part.strip() for part in _LETTER_BREAK.split(query) if part.strip()]
    body = [rest for at, part in enumerate(parts) if (rest := _without_writer(part, first=at < _OPENING))]
    asking = [at for at, part in enumerate(body) if _from_asking(part)]
    last = asking[-1] if asking else 0
    closing = next((at for at, part in enumerate(body) if at > last and _COURTESY.match(part)), len(body))
    kept = [part for part in body[:closing] if _from_asking(part) or not _COURTESY.match(part)]
    while len(kept) > 1 and not kept[-1].endswith("?") and _NAME.fullmatch(kept[-1]):
        kept = kept[:-1]
    return kept or parts


def _without_writer(part: str, *, first: bool) -> str:
    """Return a sentence without a salutation or the writer's introduction, which only `first` ones have."""
    for courtesy in (_SALUTATION, _INTRODUCTION) if first else ():
        if found := courtesy.match(part):
            part = part[found.end() :].strip()
    return part


def _whole(query: str, language: str) -> list[str]:
    """Return the single question of a request without its fields: its words if few, else its phrases."""
    plain = _one_asked(query)
    words = _WORD.findall(without_fields(plain) if named_fields(query) else plain)
    while words and words[0].casefold() in stop_words(language) | _QUESTION_WORDS:
        words = words[1:]
    subject = " ".join(words) if len(words) <= _MAX_WHOLE else search_subject(plain, language)
    return [subject] if subject else []


def _one_asked(query: str) -> str:
    """Return the asking clauses of a request, else its stated subject, else all its sentences."""
    parts = request_sentences(query)
    clauses = _clauses(query)
    begins = _BEGINS_TO_ASK.search(parts[0]) if len(parts) == 1 else None
    if clauses and not (begins and begins[0][0] in ",;" and not _ASKS.match(parts[0])):
        return " ".join(clauses)
    return _wanted(parts) or " ".join(parts)


def _wanted(parts: Sequence[str]) -> str:
    """Return the subject that a letter states ("a report on…"), "" without one."""
    return next((found["subject"].strip() for part in parts if (found := _ON_SUBJECT.search(part))), "")


def search_subject(query: str, language: str) -> str:
    """Return the subject of a question in a few words for a search."""
    return (
        " ".join(question_phrases(without_fields(query), language)[:_MAX_SUBJECT]) or " ".join(query.split())[:120]
    )


def question_phrases(query: str, language: str) -> list[str]:
    """Return the phrases of a question in order: runs of words between stop words, verbs and punctuation."""
    kept: dict[tuple[str, ...], str] = {}
    for words in _runs(query, language):
        phrase = " ".join(words[-_MAX_PHRASE:])
        stems = tuple(content_stems(phrase, language))
        if stems and not any(set(stems) <= set(known) for known in kept):
            kept[stems] = phrase
    return list(kept.values())


def asks_essays(query: str) -> bool:
    """Return whether the question names essays or entries, in English or Spanish."""
    return _ESSAYS.search(query) is not None


def asked_of_essays(question: str) -> str:
    """Return the question without the phrases that only name the essays as the source."""
    return " ".join(_ESSAYS.sub(" ", _OF_ESSAYS.sub(" ", question)).split())


def _heading_of(part: str, language: str) -> str:
    """Return two to five consecutive words that name the subject of a part, or "" if there are none."""
    small = stop_words(language) | _QUESTION_WORDS
    clause = next((piece for piece in _CLAUSE.split(part.strip(" ¿¡")) if len(piece.split()) > 1), "")
    words = without_ends(_WORD.findall(clause), small)
    if len(words) > _HEADING:
        words = without_ends(words[-_HEADING:], small)
    return " ".join(words) if len(words) > 1 else ""


def without_ends(words: list[str], small: frozenset[str]) -> list[str]:
    """Return the words, with those of `small` stripped from both ends."""
    while words and words[0].casefold() in small:
        words = words[1:]
    while words and words[-1].casefold() in small:
        words = words[:-1]
    return words


def _runs(query: str, language: str) -> Iterator[list[str]]:
    left_out = stop_words(language) | word_list("question")

    def tells(piece: str) -> bool:
        return piece[0].isalnum() and not piece.isdigit() and piece.casefold() not in left_out

    return (list(run) for is_telling, run in groupby(_PIECE.findall(query), tells) if is_telling)


# Extract the search terms of a question: drop asking words, keep names and quoted phrases as units.


_QUOTED = re.compile(r"[\"“”«„]([^\"“”«»„]{2,120})[\"“”»]")
#: Characters of a question that are read.
_LONGEST = 2000
_PLACEHOLDER = "quotedphrase"
#: Lower-case words within a name: "Treaty of Westphalia", "Universidad de la República".
_INSIDE_NAMES = {"of", "the", "de", "del", "la", "las", "los", "y"}
#: Negations form one term with the next word: "sin gluten".
_NEGATIONS = {"without", "sin", "non"}
#: Classes of asking words, at the start of a sentence or beside the number of items.
_ASKING = {"listing", "explaining", "list_noun", "ranking", "enough"}
_FIRST_WORDS = 3


def terms_of(question: str, language: str) -> list[str]:
    """Return the search terms in order; a name or quoted phrase is one term. `language`: that of the question."""
    question = question[:_LONGEST]
    waiting = iter([match[1].strip() for match in _QUOTED.finditer(question)])
    tokens = query_tokens(_QUOTED.sub(f" {_PLACEHOLDER} ", question))
    found = list(_terms(tokens, _asking(tokens, read(question).count), word_list(f"search_{language}")))
    quoted = (f'"{next(waiting, term)}"' if term == _PLACEHOLDER else term for term in found)
    distinct: dict[str, str] = {}
    for term in quoted:
        distinct.setdefault(fold_words(term), term)
    return list(distinct.values())


def fewer_terms(terms: Sequence[str], most: int) -> list[str]:
    """Return at most `most` terms in order; generic words are dropped first, names and phrases last."""
    kept = sorted(range(len(terms)), key=lambda at: (-_weight(terms[at]), at))[:most]
    return [terms[at] for at in sorted(kept)]


def specific(terms: Sequence[str]) -> list[str]:
    """Return the terms without generic words, if at least two others or a name remain; else all."""
    kept = [term for term in terms if _weight(term)]
    return kept if len(kept) > 1 or any(_weight(term) > 1 for term in kept) else list(terms)


def _weight(term: str) -> int:
    if term.startswith('"'):
        return 3
    if term[:1].isupper() or " " in term:
        return 2
    return 0 if fold_words(term) in word_list("search_generic") or term[:1].isdigit() else 1


def _asking(tokens: Sequence[QueryToken], count: int | None) -> set[int]:
    """Return the places of the number of items, of words that belong to it, and of verbs that ask."""
    found: set[int] = set()
    if number := next((number for number in query_numbers(tokens) if number.value == count), None):
        first = number.start
        while first and _ASKING & set(classes_of(tokens[first - 1].word)):
            first -= 1
        found = set(range(first, number.end))
    begins = 0
    for at, token in enumerate(tokens):
        if token.word in ENDS:
            begins = at + 1
        elif at - begins < _FIRST_WORDS + len(found) and _ASKING & set(classes_of(token.word)):
            behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
            # "Study abroad programmes": here "study" is not an asking verb.
            if at > begins or at + 1 in found or behind in MARKS | _INSIDE_NAMES | {"me", "us", "a", "for"}:
                found.add(at)
    return found


def _terms(tokens: Sequence[QueryToken], dropped: set[int], stop: frozenset[str]) -> Iterator[str]:
    name: list[str] = []
    for at, token in enumerate(tokens):
        if name and not (_continues(tokens, at) or fold_words(name[-1]) in _NEGATIONS):
            yield " ".join(name)
            name = []
        if at in dropped:
            continue
        if token.word in _NEGATIONS and at + 1 < len(tokens) and _is_term(tokens[at + 1], stop):
            name.append(token.text)
        elif name or _begins_name(tokens, at, stop):
            name.append(_bare(token.text))
        elif _is_term(token, stop):
            yield _bare(token.text)
    if name:
        yield " ".join(name)


def _begins_name(tokens: Sequence[QueryToken], at: int, stop: frozenset[str]) -> bool:
    """Return whether a capitalised word begins a name: a capitalised word follows."""
    if not tokens[at].text[:1].isupper() or (tokens[at].word in stop and not _is_acronym(tokens[at])):
        return False
    return _continues(tokens, at + 1)


def _continues(tokens: Sequence[QueryToken], at: int) -> bool:
    """Return whether a name continues here, also across words like "of" before a capitalised one."""
    while at < len(tokens) and tokens[at].word in _INSIDE_NAMES and not tokens[at].text[:1].isupper():
        at += 1
    return at < len(tokens) and tokens[at].text[:1].isupper()


def _is_term(token: QueryToken, stop: frozenset[str]) -> bool:
    if not token.text[0].isalnum():
        return False
    if _is_acronym(token) or token.text.isdigit():
        return True
    return token.word not in stop and token.word.removesuffix("'s") not in stop and len(token.word) > 1


def _is_acronym(token: QueryToken) -> bool:
    return 1 < len(token.text) <= 6 and token.text.isupper()


def _bare(text: str) -> str:
    return re.sub(r"['’]s$", "", text)
