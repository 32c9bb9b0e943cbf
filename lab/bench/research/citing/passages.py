"""The invented passages, and what type-setting makes of them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from random import Random

DATA = Path(__file__).resolve().parent.parent / "data"


@dataclass(frozen=True)
class Entry:
    """A passage as it was written, and what a careless writer would have it say."""

    id: str
    language: str
    field: str
    text: str
    distortions: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """As they were written."""
        return re.split(r"(?<=[.?!»”])(?<!St\.)(?<!Dr\.)\s+(?=[A-ZÁÉÍÓÚÑ¿¡«“])", self.text)


def read_passages() -> list[Entry]:
    """All of them."""
    entries: list[Entry] = []
    files = ("passages.txt", "passages_second_hand.txt")
    blocks = [block for name in files for block in (DATA / name).read_text(encoding="utf-8").split("\n@ ")[1:]]
    for block in blocks:
        head, *lines = block.strip().splitlines()
        name, language, field = head.split(" ", 2)
        distortions = tuple(line[2:] for line in lines if line.startswith("~ "))
        entries.append(
            Entry(name, language, field, " ".join(line for line in lines if line[0] != "~"), distortions)
        )
    return entries


def typeset(text: str, random: Random) -> str:
    """As a page would give the text back: lines, hyphens, ligatures, curly quotes, odd spaces, loose accents."""
    steps = random.sample(
        [_curly, _ligatures, _hard_spaces, _dashes, _invisible, _loose_accents], k=random.randint(2, 5)
    )
    for step in sorted(steps, key=lambda step: step is _loose_accents):
        text = step(text, random)
    return _lines(text, random)


def _curly(text: str, random: Random) -> str:
    quoted = re.sub(r"(?<=\w)'(?=\w)", "’", text).replace("“", "«").replace("”", "»")
    return quoted if random.random() < 0.5 else quoted.replace("«", "„").replace("»", "“")


def _ligatures(text: str, random: Random) -> str:
    for letters, ligature in (("ffi", "ﬃ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")):
        text = text.replace(letters, ligature)
    return text


def _hard_spaces(text: str, random: Random) -> str:
    text = re.sub(r"(?<=\d) (?=\S)", "\u00a0", text)
    return re.sub(r" (?=[%°])", "\u202f", text)


def _dashes(text: str, random: Random) -> str:
    return re.sub(r"(?<=[a-z])-(?=[a-z])", random.choice("\u2010\u2011"), text)


def _invisible(text: str, random: Random) -> str:
    words = text.split(" ")
    for _ in range(3):
        at = random.randrange(len(words))
        if words[at].isalpha() and len(words[at]) > 6:
            words[at] = words[at][:4] + random.choice("\u00ad\u200b\u2060") + words[at][4:]
    return " ".join(words)


def _loose_accents(text: str, random: Random) -> str:
    return unicodedata.normalize("NFD", text)


def _lines(text: str, random: Random) -> str:
    """Lines of one width, long words cut at their ends."""
    width, lines, line = random.randint(38, 70), [], ""
    for word in text.split(" "):
        room = width - len(line) - 1
        if line and len(word) > room:
            cut = random.randint(3, len(word) - 3) if word.isalpha() and len(word) > 7 else 0
            if 3 <= cut <= room - 1 and not unicodedata.combining(word[cut]):
                lines.append(f"{line} {word[:cut]}-")
                line = word[cut:]
            else:
                lines.append(line)
                line = word
        else:
            line = f"{line} {word}".strip()
    return random.choice(["\n", "\r\n", " \n", "\n   "]).join([*lines, line])
