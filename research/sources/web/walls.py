"""Recognise pages that show a login wall, a notice or a CAPTCHA instead of their content."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Fewest words of a text without a complete sentence.
ENOUGH_WORDS = 20
#: Fewest words of a sentence; menus and forms have none.
_SENTENCE_WORDS = 5
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")
#: Most characters of a notice; a longer paragraph that matches is taken for content.
_LONGEST_NOTICE = 400

_WALL = re.compile(
    r"""
    (enable|allow|turn\s+on|requires?|needs?|activate)\s+(java\s?script|cookies)
    | java\s?script\s+(is|must\s+be|seems\s+to\s+be|appears\s+to\s+be)\s+\w{1,30}
    | (accept|reject|manage)\s+(all\s+|our\s+)?cookies | (we|this\s+site|this\s+website)\s+uses?\s+cookies
    | please\s+(sign|log)\s?in\b
    | (sign|log)\s?in\s+(to\s+(continue|read|view|access|your)|or\s+(register|sign|create))
    | (subscribe|register)\s+to\s+(continue|read|keep\s+reading) | (only\s+for|for)\s+(subscribers|members)\s+only
    | create\s+(a\s+free\s+|an\s+)?account\s+to | subscribers?\s+only
    | (verify|confirm|prove)\s+(that\s+)?you\s+are\s+(a\s+|not\s+a\s+)?(human|robot) | checking\s+your\s+browser
    | (page|file)\s+(you\s+\w{1,30}\s+(looking\s+)?for\s+)?(was\s+|could\s+|can\s?)?not\s+(be\s+)?found
    | error\s+404
    | access\s+(is\s+)?denied | just\s+a\s+moment
    | (habilit|activ|permit)\w{1,30}\s+(el\s+|las\s+)?(java\s?script|cookies) | (requiere|necesita)\s+java\s?script
    | java\s?script\s+(está\s+)?(des|in)(activado|habilitado)
    | (acept|rechaz|gestion|configur)\w{1,30}\s+(todas\s+)?(las\s+)?cookies | (utiliza|usa)(mos)?\s+cookies
    | inici[ae]\s+sesión\s+(para|o\s+(regístr|cre)) | (suscr[ií]b|regístr)\w{1,30}\s+para\s+(continuar|leer|seguir)
    | solo\s+para\s+(suscriptores|miembros)
    | verifi\w{1,30}\s+que\s+(no\s+)?(eres|es)\s+(un\s+)?(humano|robot)
    | (página|archivo)\s+(que\s+\w{1,30}\s+)?no\s+(se\s+)?(ha\s+)?(sido\s+)?\w{0,30}
      (encontrad[oa]|encontró|encontrar)
    | acceso\s+denegado
    """,
    re.IGNORECASE | re.VERBOSE,
)


#: Titles of pages that are only a wall, a form or an error.
_WALL_TITLE = re.compile(
    r"""
    ^\W*(sign\s?in|log\s?in|login|register|subscribe|error|4\d\d|5\d\d|forbidden|unauthorized|captcha)\b
    | \b(not\s+found|404|page\s+unavailable|access\s+denied|just\s+a\s+moment|attention\s+required)\b
    | ^\W*(iniciar\s+sesión|inicio\s+de\s+sesión|acceder|regístr\w+|prohibido)\b
    | \b(no\s+encontrad[oa]|no\s+disponible|acceso\s+denegado)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
#: Most characters of a page with such a title that counts as a wall; a longer one has content.
_LONGEST_WALL = 800


def is_notice(title: str, text: str) -> bool:
    """Return whether a page's title is that of a wall or an error and its text is short."""
    return len(text) <= _LONGEST_WALL and _WALL_TITLE.search(title) is not None


def says_something(paragraphs: Iterable[str]) -> bool:
    """Return whether a page has enough text apart from walls and notices."""
    words = 0
    for paragraph in paragraphs:
        if len(paragraph) <= _LONGEST_NOTICE and _WALL.search(paragraph):
            continue
        said = sum(1 for word in paragraph.split() if any(char.isalnum() for char in word))
        words += said
        if words >= ENOUGH_WORDS or (said >= _SENTENCE_WORDS and _SENTENCE.search(paragraph)):
            return True
    return False
