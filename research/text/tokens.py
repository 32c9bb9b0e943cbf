"""How much of a model's context a text takes, without that model's tokenizer."""

from __future__ import annotations


def count_tokens(text: str) -> int:
    """UTF-8 bytes / 3, rounded up: never fewer than the truth for English and Spanish."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)
