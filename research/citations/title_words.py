"""Word lists for comparing titles: generic titles, words to ignore, and spelling variants of the same word."""

from __future__ import annotations

import re

from research.text.cardinals import SMALL

_GENERIC = """\
introduction/introduccion/editorial/preface/prefacio/prologo/foreword/annual report/informe anual/memoria anual
book review/book reviews/resena/review/home/inicio/untitled/sin titulo/index/indice/contents/contenido
news/noticias/about us/about/conclusion/conclusiones/conclusions/abstract/resumen/appendix/anexo/summary
executive summary/resumen ejecutivo/final report/informe final/report/informe/correction/erratum/letter to editor
letters to editor/discussion/references/bibliography/bibliografia/notes/notas/faq/frequently asked questions
preguntas frecuentes/contact us/contacto/our programs/our program/document/documento
table of contents/tabla de contenido/guide/guia
"""
#: Titles shared by many works, spelled as `titles` normalises them.
GENERIC = frozenset(re.split(r"[/\n]", _GENERIC)) - {""}

#: Words ignored in titles: articles and "and".
LEFT_OUT = frozenset({"the", "a", "an", "el", "la", "los", "las", "un", "una", "and", "y", "e"})

#: Words that precede the number of a part, spelled as in `SAME_WORD`.
UNITS = frozenset(
    {"part", "volume", "number", "edition", "chapter", "book", "libro", "issue", "phase", "fase", "series"}
)

#: Words that mark a reply to a work, or its correction, published under the same title.
ANSWERS = frozenset(
    {
        "reply",
        "response",
        "rejoinder",
        "comment",
        "commentary",
        "correction",
        "erratum",
        "corrigendum",
        "respuesta",
    }
    | {"comentario", "erratas", "resena", "retraction", "retracted"}
)

_SAME = """\
volume: vol volumen tomo
part: pt parte
number: no num numero
edition: ed edicion edn
chapter: cap capitulo
program: programme
programs: programmes
center: centre
centers: centres
gray: grey
catalog: catalogue
dialog: dialogue
"""
#: The normalised spelling of each variant.
SAME_WORD = {
    other: word
    for line in _SAME.splitlines()
    for word, _, rest in [line.partition(": ")]
    for other in rest.split()
}

_ORDINALS = """\
zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
- primera segunda tercera cuarta quinta sexta septima octava novena decima undecima duodecima
- primer segundo tercer cuarto quinto sexto septimo octavo noveno decimo undecimo duodecimo
- primero - tercero
"""
#: Digits of numbers and ordinals written in words.
SPELLED = {word: str(value) for word, value in SMALL.items()} | {
    word: str(n) for line in _ORDINALS.splitlines() for n, word in enumerate(line.split()) if word != "-"
}

#: Patterns of British spellings and their American replacements.
AMERICAN = (
    (re.compile(r"is(ation|ations|e|ed|es|ing|er|ers)$"), r"iz\1"),
    (re.compile(r"ys(e|ed|es|ing)$"), r"yz\1"),
    (re.compile(r"(?<=[bcdhlmnpv])our(?=$|s$|al$|ally$|ed$|ing$|hood$|hoods$|ful$|ite$|able$)"), "or"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"ll(?=ing$|ed$|or$|ors$)"), "l"),
)
