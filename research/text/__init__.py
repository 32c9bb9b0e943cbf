"""Text processing: sentences, stems, token counts, language, ranking of sentences for a question."""

from core.tokens import token_count as count_tokens
from research.text.languages import detect_language
from research.text.sentences import split_sentences
from research.text.stems import content_stems, rank_sentences

__all__ = ["content_stems", "count_tokens", "detect_language", "rank_sentences", "split_sentences"]
