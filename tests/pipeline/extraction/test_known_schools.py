from pipeline.extraction.readings import as_listed, with_taught
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading

KNOWN = {"Juniper Hill Elementary School": ["Juniper Hill ES"], "Harbor Academy": []}


def read(value: str, source: Source = Source.OCR) -> FieldReading:
    return FieldReading(value=value, confidence=0.79, source=source, method="zone")


def test_a_listed_school_is_confirmed_as_written() -> None:
    reading = as_listed(read("Juniper Hill ES"), KNOWN, KNOWN)
    assert (reading.value, reading.confidence) == ("Juniper Hill ES", 0.97)


def test_a_near_miss_of_a_recogniser_is_mended_but_no_surer() -> None:
    reading = as_listed(read("Janiper Hill Elementary School"), KNOWN, KNOWN)
    assert (reading.value, reading.confidence) == ("Juniper Hill Elementary School", 0.79)


def test_typed_spellings_are_kept() -> None:
    assert as_listed(read("Janiper Hill School", Source.TEXT_LAYER), KNOWN, KNOWN).value == "Janiper Hill School"


def test_an_unknown_school_stays_as_it_is() -> None:
    assert as_listed(read("Prairie View School"), KNOWN, KNOWN) == read("Prairie View School")


def test_a_taught_school_is_known_by_its_most_frequent_spelling() -> None:
    known = with_taught(
        {}, ["Prairie View School", "Prairie Wiew", "Foxglove Middle School", "foxglove middle school"]
    )
    assert known == {"Prairie View School": ["Prairie Wiew"], "Foxglove Middle School": []}
    assert as_listed(read("Prairie View"), known, KNOWN).confidence == 0.97


def test_a_taught_misspelling_is_no_rival_of_the_listed_school() -> None:
    known = with_taught(KNOWN, ["Janiper Hill Elementary", "Harbor Academy"])
    assert known == {**KNOWN, "Juniper Hill Elementary School": ["Juniper Hill ES", "Janiper Hill Elementary"]}
    assert as_listed(read("Juniper Hill Elementary School"), known, KNOWN).confidence == 0.97


def test_a_near_miss_of_a_taught_school_stays_and_goes_to_a_person() -> None:
    known = with_taught(KNOWN, ["Foxglove Meadow School"])
    reading = as_listed(read("Foxgloue Meadow School"), known, KNOWN)
    assert (reading.value, reading.disagrees_with) == ("Foxgloue Meadow School", "Foxglove Meadow School")
