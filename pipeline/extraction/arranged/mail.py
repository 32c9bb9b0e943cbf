"""The header of a printed mail: who sent it to whom, when, about what. None of it is of the entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.extraction.tokens import Line, text_of
from pipeline.extraction.values.text import plain

#: Lines from the top among which the header of a mail, and of one that it forwards, is looked for.
_TOP, _FORWARDED = 14, 40
#: Lines above a header ("Gmail", the subject, the mailbox) and between two lines of one.
_ABOVE, _BETWEEN = 5, 3

_SENDER, _RECIPIENT, _SUBJECT, _DATE, _OTHER = "sender", "recipient", "subject", "date", "other"
_LINES = {
    _SENDER: re.compile(r"^(?:from|de|remitente)\s*:"),
    _RECIPIENT: re.compile(r"^(?:to|para|a|destinatario)\s*:"),
    _SUBJECT: re.compile(r"^(?:subject|asunto|re|fwd?)\s*:"),
    _DATE: re.compile(r"^(?:date|sent|fecha|enviado(?: el)?)\s*:"),
    _OTHER: re.compile(r"^(?:b?cc|cco|reply-to|attachments?|adjuntos|datos adjuntos|importance|importancia)\s*:"),
}
_ADDRESS = re.compile(r"[^\s@<]@[^\s@>]+\.\w")
_TIME = re.compile(r"\b\d{1,2}:\d{2}\b")
_FORWARD = re.compile(
    r"^\W*(?:begin )?forwarded message\b|^\W*mensaje reenviado\b|^\W*original message\b|^\W*mensaje original\b"
)
_FOOT = re.compile(
    r"^(?:sent from (?:my|mail|outlook|yahoo)\b|get outlook for\b"
    r"|enviado desde (?:mi|el)\b|obtener outlook para\b)"
)


def without_mail(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines of a page that are the message, and those that a mail program put around it.

    The second are none where no mail is printed on the page.
    """
    if not any(":" in token.text for line in lines[:_FORWARDED] for token in line[:2]):
        return list(lines), []
    texts = [plain(text_of(line)) for line in lines[:_FORWARDED]]
    end = _header_end(texts, 0, _TOP)
    for at, text in enumerate(texts):
        if _FORWARD.match(text):
            end = max(end, _header_end(texts, at, _FORWARDED))
    if not end:
        return list(lines), []
    message, around = list(lines[end:]), list(lines[:end])
    while message and _FOOT.match(plain(text_of(message[-1]))):
        around.append(message.pop())
    return message, around


def _header_end(texts: Sequence[str], start: int, most: int) -> int:
    """Return how many lines end with the header that begins within `most` lines; 0 where none does."""
    kinds: dict[str, int] = {}
    last = -1
    for at in range(start, min(len(texts), most)):
        kind = _kind(texts[at])
        if kind is None:
            if last >= 0 and at - last > _BETWEEN:
                break
            continue
        if last < 0 and at - start > _ABOVE:
            break
        kinds.setdefault(kind, at)
        last = at
    of_mail = any(_ADDRESS.search(text) or _TIME.search(text) for text in texts[start : last + 1])
    named = kinds.keys() & {_SENDER, _RECIPIENT}
    return last + 1 if named and of_mail and len(kinds.keys() - {_OTHER}) >= 2 else 0


def _kind(text: str) -> str | None:
    """Return what a line of a mail's header says; the sender's line of some programs has no word in front."""
    found = next((kind for kind, pattern in _LINES.items() if pattern.match(text)), None)
    if found is None and _ADDRESS.search(text) and (_TIME.search(text) or "<" in text):
        return _SENDER
    return found
