"""Words of titles: those that say nothing by themselves, and those that are one word in several spellings."""

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
#: Titles that many works have, as `titles` spells them.
GENERIC = frozenset(re.split(r"[/\n]", _GENERIC)) - {""}

#: Articles and "and".
LEFT_OUT = frozenset({"the", "a", "an", "el", "la", "los", "las", "un", "una", "and", "y", "e"})

#: Words in front of the number of a part, as `SAME_WORD` spells them.
UNITS = frozenset(
    {"part", "volume", "number", "edition", "chapter", "book", "libro", "issue", "phase", "fase", "series"}
)

#: What is published about a work under its own title.
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
#: The spelling that stands for others.
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
#: Numbers and ordinals in words, as digits.
SPELLED = {word: str(value) for word, value in SMALL.items()} | {
    word: str(n) for line in _ORDINALS.splitlines() for n, word in enumerate(line.split()) if word != "-"
}

#: British spellings, and what they are in American English.
AMERICAN = (
    (re.compile(r"is(ation|ations|e|ed|es|ing|er|ers)$"), r"iz\1"),
    (re.compile(r"ys(e|ed|es|ing)$"), r"yz\1"),
    (re.compile(r"(?<=[bcdhlmnpv])our(?=$|s$|al$|ally$|ed$|ing$|hood$|hoods$|ful$|ite$|able$)"), "or"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"ll(?=ing$|ed$|or$|ors$)"), "l"),
)
