"""The wrong entries that passed are summed over the held-out sets."""

from __future__ import annotations

from lab.bench.reading.faults import silent_wrong, silent_wrong_of_all


def values_of(**sets: tuple[int, int]) -> dict[str, float]:
    """Entries and wrong ones that passed, of sets by name, as the values of their measures."""
    return {
        measure.measure: measure.value
        for name, (entries, wrong) in sets.items()
        for measure in silent_wrong(name, {"entries": entries, "silent_wrong": wrong}, "drawn")
    }


def test_sets_are_summed() -> None:
    entries, wrong = silent_wrong_of_all(values_of(heldout_mixed=(500, 0), strangers=(99, 1)))
    assert (entries.measure, entries.value, entries.holds) == ("heldout_entries", 599, False)
    assert (wrong.measure, wrong.value, wrong.holds) == ("heldout_silent_wrong", 1, False)


def test_earlier_sums_and_halves_of_a_set_do_not_count() -> None:
    values = values_of(heldout_mixed=(600, 0), heldout=(700, 3)) | {"faint_entries": 40.0}
    entries, wrong = silent_wrong_of_all(values)
    assert (entries.value, entries.holds) == (600, True)
    assert (wrong.value, wrong.holds) == (0, True)


def test_without_a_set_there_is_no_sum() -> None:
    assert silent_wrong_of_all({"typed_ms_per_page": 12.0}) == []
