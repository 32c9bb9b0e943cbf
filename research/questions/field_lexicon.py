"""Common catalog fields: how questions name them, how sources state them, what to search for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

#: Groups of equivalent fields with different names.
Group = Literal["pricing", "proof"]


@dataclass(frozen=True)
class FieldKind:
    """A common field of catalogs."""

    key: str
    #: Matches its names in questions, English or Spanish, as a whole and ignoring case.
    asked: re.Pattern[str]
    #: Matches a sentence that states it, English or Spanish; None if sentences do not state it.
    told: re.Pattern[str] | None
    #: Words to search for, by language.
    search: dict[str, str]
    group: Group | None = None


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(alternatives) + r")\b", re.IGNORECASE)


#: An amount of money, or a statement that something is free.
MONEY = re.compile(
    r"(?:[$€£¥₹]|US\$|\b(?:USD|EUR|GBP|MXN|ARS|COP|CLP|PEN)\s?)\s?\d++(?>(?:[.,]\d++)*)"
    r"|\b(?<!\d[.,])\d++(?>(?:[.,]\d++)*)\s?(?:[€£$]|(?:US\s)?dollars?\b|euros?\b|pounds?\b|pesos?\b|soles\b|d[oó]lares\b|libras\b|cents\b"
    r"|c[eé]ntimos\b|centavos\b|USD\b|EUR\b|GBP\b|pence\b)"
    r"|\bfree(?:\s+of\s+charge(?:\s+for\s+\w+)?|\s+for\s+\w+(?:\s+\w+)?|\s+to\s+(?:use|join|attend|enter|families|members|all)|\s+plan|\s+tier"
    r"|\s+admission|\s+entry)|\b(?:is|are|remains?|completely|entirely|always|offered|provided)\s+free\b(?:\s+of\s+charge)?(?:\s+for\s+\w+)?"
    r"(?!\s+(?:from|of\s+(?!charge|cost)))"
    r"|\b(?:at\s+)?no\s+(?:cost|charge|fee)\b|\bwithout\s+charge\b|\bfree-of-charge\b"
    r"|\bgratis\b|\bgratuit[oa]s?\b|\bgratuitamente\b|\bsin\s+(?:coste|costo|cargo)\b",
    re.IGNORECASE,
)
_EVALUATED = _words(
    "evaluat(?:ed|ion|ions|es|ing)",
    "trials?",
    "stud(?:y|ies)",
    "randomi[sz]ed",
    "outcomes?",
    "found that",
    "case stud(?:y|ies)",
    "reviewers?",
    "testimonials?",
    "audit(?:ed|ors?)?",
    "survey(?:ed)?",
    "evaluaci(?:ón|ones)",
    "evaluad[oa]s?",
    "evalu(?:ó|aron)",
    "ensayos?",
    "estudios?",
    "encuestas?",
    "testimonios?",
    "casos de (?:estudio|éxito)",
    "halló|hallaron|encontr(?:ó|aron) que",
)

FIELDS: tuple[FieldKind, ...] = (
    FieldKind("name", _words("names?", "nombres?", "titles?", "títulos?"), None, {"en": "", "es": ""}),
    FieldKind(
        "provider_url",
        _words(
            r"(?:provider(?:'s)? |official )?(?:urls?|web ?sites?|home ?pages?|web ?pages?|web addresse?s?)",
            r"links? to (?:the |their )?(?:provider|website|site|page)s?",
            r"(?:sitios?|p[aá]ginas?) web|enlaces?|webs?",
        ),
        None,
        {"en": "official website", "es": "sitio web oficial"},
    ),
    FieldKind(
        "problem_solved",
        _words(
            r"problems? (?:that )?(?:it |they |each )?(?:solve[sd]?|address(?:es|ed)?)|problems?|purposes?",
            r"aims?|goals?",
            r"descriptions?|what (?:it|they|each)(?: one)? do(?:es)?|summar(?:y|ies)",
            r"problemas?(?: que resuelven?| resueltos?)?|prop[oó]sitos?|objetivos?|descripci(?:ón|ones)",
            r"qué hacen?",
        ),
        _words(
            r"helps?|aims?|designed|supports?|enables?|allows?|lets|reduces?|provides?|offers?|teach(?:es)?",
            r"brings?",
            r"addresses|tackles|connects?|gives|trains?|serves?|invites?|solves?|seeks|so that",
            r"ayudan?|busca|pretende|diseñad[oa]s?|apoyan?|permiten?|reducen?|ofrecen?|brinda|enseñan?",
            r"acercan?|atienden?",
            r"conectan?|invitan?|resuelven?|para que|facilitan?|promueven?|fomentan?",
        ),
        {"en": "what it does overview", "es": "qué hace descripción"},
    ),
    FieldKind(
        "pricing_model",
        _words(
            r"pricing(?: models?| plans?| details?| information| evidence)?|prices?",
            r"price (?:ranges?|points?|lists?)",
            r"subscriptions?(?: costs?| prices?)?|(?:modelos? de )?precios?|tarifas?|planes de precios",
        ),
        MONEY,
        {"en": "pricing cost plans", "es": "precios coste tarifas"},
        "pricing",
    ),
    FieldKind(
        "cost",
        _words(
            r"costs?(?: per \w+)?|costings?|(?:entry |admission |membership |tuition |enrolment )?fees?",
            r"budgets?|charges?",
            r"fares?|amounts?|payments?|expenses?|costes?(?: por \w+)?|costos?(?: por \w+)?|cuotas?|presupuestos?",
            r"importes?|gastos?",
        ),
        MONEY,
        {"en": "cost price fees", "es": "coste precio cuota"},
        "pricing",
    ),
    FieldKind(
        "proof_links",
        _words(
            r"proofs?(?: links?| of (?:results?|impact|success))?|case stud(?:y|ies)|testimonials?",
            r"customer (?:stories|reviews)",
            r"success stories|reviews?|references?|casos? de (?:estudio|éxito)|testimonios?|pruebas?",
            r"reseñas?|referencias?",
        ),
        _EVALUATED,
        {"en": "case study customer testimonial review", "es": "caso de estudio testimonios reseñas"},
        "proof",
    ),
    FieldKind(
        "evaluation",
        _words(
            r"(?:independent |impact |external )?evaluations?",
            r"evidence(?: of (?:impact|effect\w*|results?|success))?",
            r"effectiveness|effects?|impacts?|(?:measured )?(?:outcomes?|results?)|trials?|studies",
            r"evaluaci(?:ón|ones)|evidencias?|eficacia|efectividad|efectos?|impactos?|resultados?|estudios?",
        ),
        _EVALUATED,
        {"en": "evaluation study results", "es": "evaluación estudio resultados"},
        "proof",
    ),
    FieldKind(
        "target_group",
        _words(
            r"target(?:ed)? (?:groups?|customers?|audiences?|populations?|users?|ages?)|audiences?",
            r"beneficiar(?:y|ies)",
            r"(?:age groups?|age ranges?|ages?)|who (?:it is|they are) for|customers?",
            r"destinatari[oa]s?|p[uú]blicos?(?: objetivo)?|beneficiari[oa]s?|edad(?:es)?",
            r"grupos? (?:objetivo|de edad)",
        ),
        _words(
            r"for (?:children|families|people|adults|parents|students|young|small|older)",
            r"for (?:farmers|patients|women|men|anyone)",
            r"aged|aimed at|open to|designed for|intended for|dirigid[oa]s? a",
            r"para (?:niñ[oa]s|familias|personas|jóvenes|mayores|mujeres)",
            r"de \d+ a \d+ años",
        ),
        {"en": "who is it for", "es": "a quién va dirigido"},
    ),
    FieldKind(
        "location",
        _words(
            r"locations?|address(?:es)?|places?|cit(?:y|ies)|countr(?:y|ies)|regions?",
            r"where (?:it|they) (?:is|are|runs?|operates?)",
            r"ubicaci(?:ón|ones)|direcci(?:ón|ones)|lugar(?:es)?|ciudad(?:es)?|pa[ií]s(?:es)?|regi(?:ón|ones)",
        ),
        _words(
            r"(?:is |are )?(?:located|based|situated|headquartered) (?:in|at|on)|operates? in|runs? in",
            r"offices? in",
            r"(?:está|se encuentra|con sede|ubicad[oa]|situad[oa]|opera|funciona) en",
        ),
        {"en": "location address", "es": "ubicación dirección"},
    ),
    FieldKind(
        "opening_hours",
        _words(r"(?:opening |visiting |business )?(?:hours|times)|schedules?|horarios?(?: de \w+)?"),
        _words(
            r"opens?|open (?:from|daily|every|on)|closes?|closed (?:on|every)|hours",
            r"\d{1,2}(?::\d\d)? ?[ap]\.?m\.?",
            r"abre|abiert[oa]s?|cierra|cerrad[oa]s?|horarios?",
            r"de \d{1,2}(?::\d\d)? a \d{1,2}(?::\d\d)?(?: horas| h)?",
        ),
        {"en": "opening hours", "es": "horario"},
    ),
    FieldKind(
        "eligibility",
        _words(
            r"eligibility(?: criteria| rules| requirements)?|requirements?|(?:entry |admission )?criteria",
            r"conditions?",
            r"requisitos?|elegibilidad|criterios?(?: de \w+)?|condiciones",
        ),
        _words(
            r"eligible|eligibility|must (?:be|have|hold|live|apply)|applicants?|requires?|required",
            r"qualif(?:y|ies)|open to",
            r"requisitos?|deben?(?:rán)?|pueden (?:solicitar|optar|pedir)|solicitantes?|se exige|dirigid[oa]s? a",
        ),
        {"en": "eligibility requirements", "es": "requisitos"},
    ),
    FieldKind(
        "deadline",
        _words(r"(?:application )?deadlines?|closing dates?|due dates?|plazos?(?: de \w+)?|fechas? l[ií]mite"),
        _words(
            r"deadlines?|closing date|appl(?:y|ications?) (?:by|before|until|close)|due (?:by|on)|closes? on",
            r"plazos?|fecha límite|hasta el|antes del",
        ),
        {"en": "application deadline", "es": "plazo de solicitud"},
    ),
    FieldKind(
        "duration",
        _words(r"durations?|lengths?|how long (?:it|they) (?:takes?|lasts?)|duraci(?:ón|ones)"),
        _words(
            r"lasts?|runs? for|takes? (?:about |around )?\w+ (?:hours?|weeks?|months?|years?)",
            r"\w+-(?:week|month|year|hour|day)",
            r"over \w+ (?:weeks?|months?)|dura(?:n|ción)?|durante \w+ (?:horas|semanas|meses|años)",
        ),
        {"en": "duration how long", "es": "duración"},
    ),
    FieldKind(
        "contact",
        _words(
            r"contacts?(?: details?| information)?|phone(?: numbers?)?|e-?mails?|tel[eé]fonos?|correos?|contactos?"
        ),
        re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.]++|\+?\d[\d\s().-]{7,}\d"),
        {"en": "contact", "es": "contacto"},
    ),
    FieldKind(
        "year",
        _words(r"(?:founding |launch |start )?(?:years?|dates?)|founded|año(?:s)?(?: de \w+)?|fechas?"),
        _words(
            r"(?:founded|launched|started|established|introduced|created|opened|began|built)[^.]{0,40}\b(?:1[5-9]|20)\d\d",
            r"(?:since|in) (?:1[5-9]|20)\d\d",
            r"(?:fundad[oa]|cread[oa]|lanzad[oa]|inaugurad[oa]|nació|comenzó|abrió)[^.]{0,40}\b(?:1[5-9]|20)\d\d",
            r"desde (?:1[5-9]|20)\d\d",
        ),
        {"en": "founded launched year", "es": "año de creación"},
    ),
)
BY_KEY = {field.key: field for field in FIELDS}
