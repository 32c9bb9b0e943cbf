"""Write docs/prompts.md: each prompt with a request and reply of a cassette, and its measured tokens.

.venv/bin/python -m lab.cassettes.prompts_page
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from core.config import ROOT
from core.llm.chat import REPAIR, REPLY_FORMAT
from core.plain_data import token_count
from tests.support.cassettes import CASSETTES, Cassette

PAGE = ROOT / "docs" / "prompts.md"
_FOLDERS = ("pipeline", "research")
_CONSTANT = re.compile(r"^(\w+_SYSTEM) = ", re.MULTILINE)
#: Most characters of an example's request and reply.
_REQUEST, _REPLY = 1600, 1200
_HEAD = """\
# Prompts

Made by `make prompts` (`lab/cassettes/prompts_page.py`) from the constants in the code and the cassettes in
`tests/data/cassettes/`; do not edit it. Braces around a word stand for a parameter, doubled braces for plain ones.
Tokens are estimated as bytes of UTF-8 / 3, rounded up, which is more than most tokenizers count: of the system
prompt with the schema of the reply, of the request, and of the reply, the mean over the recorded requests.

To the end of every system prompt is added, with the JSON schema of the reply:

```text
{reply_format}
```

A reply that does not fit is answered once by `{repair}` Then rules take over, or the part fails with an error.
"""


@dataclass(frozen=True)
class Prompt:
    """A constant that holds a system prompt."""

    module: str
    name: str
    text: str


@dataclass(frozen=True)
class Pair:
    """A recorded request of a prompt."""

    cassette: str
    system: str
    request: str
    reply: str

    @property
    def tokens(self) -> tuple[int, int, int]:
        """Of system prompt, request and reply."""
        return token_count(self.system), token_count(self.request), token_count(self.reply)


def prompts() -> list[Prompt]:
    """Every constant of a module whose name ends in `_SYSTEM`, by module and name."""
    found = []
    for path in sorted(path for folder in _FOLDERS for path in (ROOT / folder).rglob("*.py")):
        if names := _CONSTANT.findall(path.read_text(encoding="utf-8")):
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            found += [Prompt(module.__name__, name, getattr(module, name)) for name in names]
    return found


def page(every: Sequence[Prompt], pairs: Sequence[Pair]) -> str:
    """The whole page."""
    head = _HEAD.format(reply_format=REPLY_FORMAT, repair=" ".join(REPAIR.split()))
    return "\n".join([head, *(_chapter(prompt, _of(prompt, pairs)) for prompt in every)])


def recorded() -> list[Pair]:
    """Every first request of a cassette; repairs are left out."""
    return [pair for folder in sorted(CASSETTES.glob("*")) for pair in _recorded_in(Cassette(folder))]


def _recorded_in(kept: Cassette) -> Iterator[Pair]:
    for key in sorted(kept.keys):
        messages = kept.messages(key)
        if len(messages) == 2:
            system, request = (str(message["content"]) for message in messages)
            yield Pair(kept.folder.name, system, request, kept.reply(key) or "")


def _of(prompt: Prompt, pairs: Sequence[Pair]) -> list[Pair]:
    """The requests of a prompt, known by its beginning up to the first parameter."""
    begins = prompt.text.partition("{")[0][:200]
    return [pair for pair in pairs if pair.system.startswith(begins)]


def _chapter(prompt: Prompt, pairs: Sequence[Pair]) -> str:
    parts = [f"## `{prompt.name}`\n", f"`{prompt.module}`. {_measured(pairs)}\n", _block(prompt.text)]
    if pairs:
        shown = sorted(pairs, key=lambda pair: pair.tokens)[len(pairs) // 2]
        parts += [f"A request (cassette `{shown.cassette}`):\n", _block(_cut(shown.request, _REQUEST))]
        parts += ["Its reply:\n", _block(_cut(shown.reply, _REPLY))]
    return "\n".join(parts)


def _measured(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return "No request of it is recorded."
    system, request, reply = (round(mean(numbers)) for numbers in zip(*(p.tokens for p in pairs), strict=True))
    return f"Recorded {len(pairs)} times: {system:,} + {request:,} tokens, reply {reply:,}."


def _block(text: str) -> str:
    fence = "````" if "```" in text else "```"
    return f"{fence}text\n{text.strip()}\n{fence}\n"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()}\n[… {len(text) - most:,} characters more]"


if __name__ == "__main__":
    PAGE.write_text(page(prompts(), recorded()).rstrip() + "\n", encoding="utf-8")
