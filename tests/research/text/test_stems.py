from __future__ import annotations

from research.text.language import content_stems


def test_forms_of_a_word_have_one_stem() -> None:
    assert content_stems("reading programmes", "en") == content_stems("They read in a programme", "en")
    assert content_stems("los programas costosos", "es") == content_stems("un programa costoso", "es")


def test_accents_do_not_matter() -> None:
    assert (
        content_stems("niños pequeños", "es")
        == content_stems("NIN\u0303OS peque\u00f1os", "es")
        == ["nin", "pequen"]
    )


def test_numbers_stay_and_stop_words_go() -> None:
    assert content_stems("What did they do in 2019 with 1,200 dollars?", "en") == ["2019", "1,200", "dollar"]


def test_another_language_is_stemmed_as_english() -> None:
    assert content_stems("reading", "fr") == ["read"]
