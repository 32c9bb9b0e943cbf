"""Decide whether a request asks for a list, a table or the same details of each item, without a count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from research.questions.asked import ask_of, opens_narrative
from research.questions.lead import lead_of
from research.questions.tokens import Clause, clauses_of, fold
from research.questions.words import (
    ABSTRACT,
    ALSO_NOUNS,
    BARE,
    HOW,
    INVENTORY,
    LIST_NOUNS,
    PREPOSITIONS,
    SEQUENCE,
    is_plural,
    is_ranking,
)

_TABLE = r"(?:[\w-]+\s+)?(?:tables?|spreadsheet|matrix|grid|tabla|cuadro|hoja de calculo|matriz)\b"
#: Not tables as a form of answer: "periodic table", "water table".
_NO_FORM = r"(?!(?:periodic|water|round|pool|dining|league|operating|hash|truth|life|pivot|lookup|database)\b)"
_A = r"(?:an?|una?)\s+"
_AS_TABLE = re.compile(
    rf"""(?:^|[,.;:(]\ ?|\b(?:answers?|results?|them|it|findings|all)\s+)(?:in|as|into|en|como)\s+
    (?:the\ form\ of\s+|forma\ de\s+)?(?:{_A})?{_NO_FORM}{_TABLE}
    |\b(?:comparison|comparative|summary)\ table\b|\btabular\ (?:form|format)\b
    |\btabla\ comparativa\b|\bcuadro\ comparativo\b|\bforma(?:to)?\ de\ tabla\b""",
    re.VERBOSE,
)
#: Tables that count only in a request: in "store JSON in a table" the table is part of the subject.
_IN_TABLE = re.compile(
    rf"""\b(?:in|as|into|en|como)\s+{_A}{_NO_FORM}{_TABLE}
    |\b(?:an?|the|una?|la)\s+{_NO_FORM}{_TABLE}\s*(?:$|,|that\b|showing\b|comparing\b|que\b|where\b)""",
    re.VERBOSE,
)
_FIELD = r"""(?:prices?|pricing|costs?|fees?|fares?|rates|tariffs?|websites?|urls?|links?|address(?:es)?|phones?
    |telephones?|e-?mails?|contacts?|hours|ratings?|reviews|locations?|licen[cs]es?|salar(?:y|ies)|deadlines?|eligibility
    |warrant(?:y|ies)|specs|specifications|evaluations?|evidence|proof|case\ stud(?:y|ies)|authors?|years?
    |publishers?|isbn|dates|ingredients|calories|fechas|ingredientes|sources?|capacity
    |precios?|costes?|costos?|tarifas?|webs?|sitios?\ web|paginas?\ web|enlaces?|direccion(?:es)?|telefonos?
    |correos?|contactos?|horarios?|valoracion(?:es)?|evaluacion(?:es)?|plazos?|requisitos|ubicacion(?:es)?
    |licencias?|sueldos?|autor(?:es)?|anos?|fuentes?|pruebas?|capacidad)"""
#: Details requested for each item: "with pricing and website", "incluyendo tarifas y teléfono".
_FIELDS = re.compile(
    rf"""\b(?:with|including|includes?|plus|along\ with|showing|giving|stating
    |con|incluyendo|incluye|junto\ con|mas|indicando)\s+
    (?:(?:the|their|its|an?|current|clear|sus?|los|las|el|la|provider|product|full|list)\s+)*{_FIELD}
    (?:\s+(?:data|numbers?|details|information|range|links?|urls?|de\ contacto))?
    (?=\s*(?:,|;|\.|\?|$|and\b|or\b|y\b|e\b|per\b|por\b))""",
    re.VERBOSE,
)
_FOR_EACH = re.compile(
    r"""(?:^|[,.;:?!(]\ ?|\b(?:and|y)\s+)
    (?:for\ (?:each|every)|para\ cada|de\ cada|con\ cada|each\ with|cada\ un[oa]\ con)\b
    |\b(?:for\ each(?:\ one)?|para\ cada\ un[oa]|de\ cada\ un[oa])\s*[:,]
    |\b(?:give|include|provide|list|show|state|add|note|da|indica|incluye|pon|anota)\b[^.?!;]{0,90}
    \b(?:for|of|de|para)\ (?:each|cada\ un[oa])(?:\ one|\ of\ them|\ de\ ell[oa]s)?\s*(?:[.?!;]|$)
    |\bfor\ each\b.{0,40}\b(?:include|give|provide|list|show)\b
    |\b(?:required|requested|needed)\ (?:details|fields|columns|information)\b
    |\b(?:columns|fields|columnas|campos)\s*:
    |\b(?:datos|campos|detalles)\ (?:requeridos|necesarios|obligatorios)\b""",
    re.VERBOSE,
)
_SPANISH_INVENTORY = re.compile(r"^(?:enumer|list|recopil)(?:a|e|ar|en|o)?(?:me|nos)?$")
#: After "the" these name an existing work: "the catalogue of ships".
_WORKS = {"catalogue", "catalog", "index", "register", "catalogo", "indice", "registro", "table", "tabla"}
#: Fewest details after a colon that count as columns.
_COLUMNS = 3
_LONGEST_COLUMN = 3
_NAMED = {"name", "names", "nombre", "nombres", "title", "titulo", "author", "autor", "country", "pais", "city"}
_EACH = {"every", "each", "cada"}
_COLUMN = re.compile(rf"(?:\w+\s+)?(?:{_FIELD})(?:\s+\w+)?$", re.VERBOSE)
_PICKING = {"recommend", "suggest", "name"}
_SPANISH_PICKING = re.compile(r"^(?:recomiend|recomend|sugier|suger|nombr)(?:a|e|ar|en|o|ir)?(?:me|nos)?$")


def wants_items(query: str) -> bool:
    """Return whether the answer should be a list or table of items."""
    folded = " ".join(fold(query).split()).replace("¿", "")
    if _FOR_EACH.search(folded) or _AS_TABLE.search(folded):
        return True
    clauses = clauses_of(query)
    if any(_heads_columns(head, columns) for head, columns in pairwise(clauses)):
        return True
    return any(_lists(clause) or _wants_fields(clause) or _wants_table(clause) for clause in clauses)


def _heads_columns(head: Clause, columns: Clause) -> bool:
    """Return whether a heading is followed by columns: "Offshore wind farms: name, capacity, year, owner"."""
    if head.end not in {":", "(", "-", "–", "—"} or not _several(head.words):
        return False
    names = [name.removeprefix("and ").removeprefix("y ") for name in " ".join(columns.words).split(" , ")]
    if len(names) < _COLUMNS or any(len(name.split()) > _LONGEST_COLUMN for name in names):
        return False
    known = sum(name in _NAMED or bool(_COLUMN.match(name)) for name in names)
    return known > (0 if _EACH & set(head.words) else 1) and not opens_narrative(head.words)


def _several(words: Sequence[str]) -> bool:
    return bool(_EACH & set(words)) or any(map(is_plural, words))


def _wants_table(clause: Clause) -> bool:
    words = clause.words
    text = " ".join(words)
    found = _IN_TABLE.search(text)
    if not found or set(text[: found.start()].split()) & HOW:
        return False
    return any(ask_of(words[:at]) in {"list", "explain", "want"} for at in range(1, len(words) + 1))


def _lists(clause: Clause) -> bool:
    words = clause.words
    return any(_list_noun(words, at) or _list_verb(words, at) or _best(words, at) for at in range(len(words)))


def _list_noun(words: Sequence[str], at: int) -> bool:
    """Return whether a noun asks for a list: "Give me a list of", "Directory of food banks", "una tabla de"."""
    if (
        words[at] not in LIST_NOUNS
        or at + 1 >= len(words)
        or words[at + 1] not in {"of", "de", "con", "with", "showing"}
    ):
        return False
    if words[at] in {
        "set",
        "group",
        "series",
        "overview",
        "summary",
        "selection",
        "grupo",
        "serie",
        "conjunto",
        "muestra",
        "sample",
    }:
        return False
    lead = lead_of(words[:at])
    rest = lead.rest
    if lead.article and not rest and words[at] in _WORKS:
        return False
    return not rest or ask_of(rest) in {"list", "want"} or ask_of(rest[:-1]) in {"list", "want"}


def _list_verb(words: Sequence[str], at: int) -> bool:
    """Return whether a verb asks for a list: "List the treaties", "recommend podcasts"."""
    word = words[at]
    inventory = word in INVENTORY or bool(_SPANISH_INVENTORY.match(word))
    if not inventory and word not in _PICKING and not _SPANISH_PICKING.match(word):
        return False
    if ask_of(words[: at + 1]) != "list":
        return False
    if word in ALSO_NOUNS and (at + 1 == len(words) or words[at + 1] not in BARE):
        return False
    phrase = _object(words[at + 1 :])
    if inventory and words[at + 1 : at + 2] in (["every"], ["each"], ["cada"]):
        return bool(phrase)
    return any(is_plural(noun) for noun in phrase) and (inventory or not ABSTRACT & set(phrase))


def _best(words: Sequence[str], at: int) -> bool:
    """Return whether the best of several are asked for: "What are the best budgeting apps"."""
    if not is_ranking(words[at]) or words[at] in SEQUENCE | {"main", "key", "major"}:
        return False
    phrase = _object(words[at + 1 :])
    if not any(is_plural(noun) for noun in phrase) or ABSTRACT & set(phrase):
        return False
    rest = lead_of(words[:at]).rest
    return (not rest and words[at] in {"best", "top", "mejores"}) or ask_of(rest) in {"which", "list", "want"}


def _object(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        if word in PREPOSITIONS and word not in BARE:
            break
        if word not in BARE:
            found.append(word)
    return found


def _wants_fields(clause: Clause) -> bool:
    words = clause.words
    text = " ".join(words).replace(" ,", ",")
    if not _FIELDS.search(text):
        return False
    if opens_narrative(words):
        return False
    return any(is_plural(word) for word in words)
