"""Recognise sheets that belong to no entry: separators between documents, class lists, covering letters.

Only pages without a form are looked at. What is none of these for certain is left to be read: an entry too many
waits for a person, one that is taken for a separator is gone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.extraction.printed import LineText
from pipeline.extraction.tokens import text_of, visual_lines
from pipeline.mupdf.plain import Mark
from pipeline.pages.page_model import PageContent

#: What separators of scanners and document managers say.
_SEPARATOR = re.compile(
    r"^\W*patch\W*$|\bpatch\s*-?\s*(?:code\b|[t1-6]\b)|\bpatch[t1-6]\b|\bseparat(?:or|ion)\b|\bslip\s?sheet\b"
    r"|\b(?:document|batch|page)\s+(?:break|separator|header|divider)\b"
    r"|\b(?:start|begin(?:ning)?|end) of (?:an? |the |this )?(?:new |next )?"
    r"(?:document|batch|scan|job|stack|bundle)\b"
    r"|\b(?:new|next) (?:document|batch)\b|\b(?:batch|scan|job) (?:end|ends|complete)\b"
    r"|\b(?:inicio|comienzo|fin|final) del? (?:lote|documento|escaneo)\b"
    r"|\bhoja (?:separadora|de separaci[oó]n)\b|\bseparador\b",
    re.IGNORECASE,
)
_WORDS_OF_SEPARATOR = 25
#: A code as it is printed below bars.
_CODE = re.compile(r"[*<(]?[A-Z0-9][A-Z0-9\-_./|:#]*[*>)]?")
_WORDS_OF_CODE = 5
_LIST_TITLE = re.compile(
    r"\b(?:class|student|pupil|name|entry|entrant|participant|sign[ -]?(?:in|up)|home\s?room|attendance)s?"
    r"\s+(?:list|roster|register|sheet)\b|\broster\b|\bclass register\b"
    r"|\blist of (?:the )?(?:students|pupils|names|entries|entrants|participants|essays|writers)\b"
    r"|\blista de (?:los )?(?:alumnos|estudiantes|la clase|clase|participantes|nombres|asistencia)\b",
    re.IGNORECASE,
)
_WHO = r"\b(?:student|name|nombre|alumno|alumna|pupil|child|writer|author|niño|niña)s?\b"
#: What is looked for in the rest of a line begins after the first of these words, and after that one alone.
_LIST_HEAD = re.compile(
    rf"^(?>(?:(?!{_WHO}).)*){_WHO}.*\b(?:grade|grado|essay|room|teacher|class)\b", re.IGNORECASE | re.MULTILINE
)
#: What a line of a list begins with, and what follows.
_LISTED = re.compile(r"^\W*+(?:(\d{1,3})\s*+(?:[.):\-]\s*+)?(?=[^\W\d_]))?(.*)$")
_ENDS_SENTENCE = re.compile(r"[a-zà-ÿ]{3}[.!?]\W*+$")
_LEAST_LISTED, _SHARE_LISTED = 4, 0.5
_TITLE_LINES = 4
_GREETING = re.compile(
    r"^\W*(?:dear|to|hello|hi|good (?:morning|afternoon)|estimad[oa]s?|querid[oa]s?|a quien)\b.*"
    r"\b(?:contest|committee|office|judges?|sir|sirs|madam|team|organi[sz]ers?|concern|coordinator|concurso|jurado"
    r"|comit[eé]|oficina|corresponda)\b",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"\battach(?:ed|ments?|ing)\b|\benclos(?:ed|ures?|ing)\b|\bplease find\b|\badjunt[oa]s?\b|\banexo\b",
    re.IGNORECASE,
)
_WORDS_OF_LETTER = 130
#: Letters of a line that are looked at.
_LONGEST_LINE = 300


def is_cover_sheet(page: PageContent, lines: Sequence[LineText]) -> bool:
    """Whether a page without a form belongs to no entry."""
    texts = [text_of(line).strip() for line in visual_lines(token for line in lines for token in line.tokens)]
    texts = [text[:_LONGEST_LINE] for text in texts if text]
    words = [word for text in texts for word in text.split()]
    if not words or page.widgets:
        return False
    return _is_separator(texts, words) or _is_list(texts) or _is_letter(page, texts, words)


def _is_separator(texts: Sequence[str], words: Sequence[str]) -> bool:
    if len(words) <= _WORDS_OF_SEPARATOR and any(_SEPARATOR.search(text) for text in texts):
        return not any(_ENDS_SENTENCE.search(text) and len(text.split()) > 8 for text in texts)
    letters = "".join(words)
    is_code = all(_CODE.fullmatch(word) for word in words) and sum(c.isdigit() for c in letters) >= 3
    return is_code and len(words) <= _WORDS_OF_CODE and len(letters) >= 5


def _is_list(texts: Sequence[str]) -> bool:
    """Whether most lines are names, below a title that says so, or a head, or numbered from 1 on."""
    listed = [found for text in texts if (found := _LISTED.match(text)) and _is_named(found.group(2))]
    if _is_numbered_below_head(texts):
        return True
    if len(listed) < _LEAST_LISTED or len(listed) < _SHARE_LISTED * len(texts):
        return False
    if any(_LIST_TITLE.search(text) or _LIST_HEAD.search(text) for text in texts[:_TITLE_LINES]):
        return True
    numbers = [int(found.group(1)) for found in listed if found.group(1)]
    return len(numbers) >= _LEAST_LISTED + 1 and numbers == list(range(1, len(numbers) + 1))


def _is_numbered_below_head(texts: Sequence[str]) -> bool:
    """Whether all that stands below the head of a table are names, numbered from 1 on, however few."""
    at = next((at for at, text in enumerate(texts[:_TITLE_LINES]) if _LIST_HEAD.search(text)), len(texts))
    rows = [_LISTED.match(text) for text in texts[at + 1 :]]
    numbers = [int(row.group(1)) for row in rows if row and row.group(1) and _is_named(row.group(2))]
    return len(numbers) > 1 and numbers == list(range(1, len(rows) + 1)) and ":" not in texts[at]


def _is_named(text: str) -> bool:
    """Whether a line begins with two words as of a name, and is no sentence."""
    words = text.split()
    first = [word for word in words[:2] if word[0].isupper() and len(word.strip(",.")) > 1]
    return len(first) == 2 and len(words) <= 12 and not _ENDS_SENTENCE.search(text)


def _is_letter(page: PageContent, texts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether it is a short letter to the office that goes with entries."""
    if len(words) > _WORDS_OF_LETTER or not any(_ATTACHED.search(text) for text in texts):
        return False
    return page.mark == Mark.CARRIES or any(_GREETING.search(text) for text in texts[:_TITLE_LINES])
