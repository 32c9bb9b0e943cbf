"""Estimate a text's length in model tokens without the model's tokenizer."""

from __future__ import annotations


def count_tokens(text: str) -> int:
    """Return UTF-8 bytes / 3, rounded up: for English and Spanish never below the true count."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)
