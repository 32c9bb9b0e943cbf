"""How many tokens a text takes, by the one estimate that the product works with."""

from __future__ import annotations

#: Of UTF-8. A tokenizer makes longer tokens of most texts, so the estimate is rather too high than too low.
BYTES_PER_TOKEN = 3


def token_count(text: str) -> int:
    """Bytes of UTF-8 divided by three, rounded up."""
    return -(-len(text.encode("utf-8")) // BYTES_PER_TOKEN)
