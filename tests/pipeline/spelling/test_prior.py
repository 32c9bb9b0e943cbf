"""Which words are likelier than others."""

from __future__ import annotations

from pipeline.spelling.prior import all_names, fold_text, school_words


def test_listed_names_are_likelier_than_slips_of_theirs() -> None:
    for name, slip in (("quintana", "qvintana"), ("fletcher", "fetcier"), ("guillermo", "gvillermo")):
        assert all_names().of(name) > all_names().of(slip) + 3


def test_unlisted_names_that_read_like_names_are_likelier_than_strings_of_letters() -> None:
    assert not all_names().knows("tavarielle")
    assert all_names().of("tavarielle") > all_names().of("tvrlxqelle") + 5


def test_parts_of_a_hyphened_name_count_together() -> None:
    assert all_names().of("perez-wood") == all_names().of("perez") + all_names().of("wood")


def test_initials_titles_and_signs_cost_the_same() -> None:
    assert all_names().of("j.") == all_names().of("mr.") == all_names().of("&")


def test_near_words_differ_by_few_letters() -> None:
    assert "fuentes" in all_names().near("fueutes")
    assert all_names().near("ab") == []
    assert "ana" not in all_names().near("ana")


def test_schools_know_the_words_of_schooling_of_both_languages() -> None:
    words = school_words()
    for word in ("elementary", "academia", "sunflower", "primaria", "lincoln"):
        assert words.of(word) > words.of(word[:-1] + "x")


def test_letters_of_any_typeface_are_compared_as_small_ones() -> None:
    """Models write in bold or double-struck letters, which have no small forms of their own."""
    assert fold_text("\U0001d400\U0001d427\U0001d41a \u211d\uff32 \u212a\u03d2") == "ana rr k"
