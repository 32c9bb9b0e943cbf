"""Text processing: sentences, stems, token counts, language, ranking of sentences for a question."""

from research.text.languages import detect_language
from research.text.sentences import split_sentences
from research.text.stems import content_stems, count_tokens, rank_sentences

__all__ = ["content_stems", "count_tokens", "detect_language", "rank_sentences", "split_sentences"]
