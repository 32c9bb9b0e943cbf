"""The estimate of a text's number of tokens."""

from __future__ import annotations

#: In UTF-8. Most tokenizers make longer tokens of most texts, so the estimate tends to be too high.
BYTES_PER_TOKEN = 3


def token_count(text: str) -> int:
    """Bytes of UTF-8 divided by three, rounded up; half of a surrogate pair counts like a whole character."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)
