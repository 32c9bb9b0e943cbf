from pipeline.extraction.known_schools import confirmed
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading

KNOWN = {"Juniper Hill Elementary School": ["Juniper Hill ES"], "Harbor Academy": []}


def read(value: str, source: Source = Source.OCR) -> FieldReading:
    return FieldReading(value=value, confidence=0.79, source=source, method="zone")


def test_a_listed_school_is_confirmed_as_written() -> None:
    reading = confirmed(read("Juniper Hill ES"), KNOWN)
    assert (reading.value, reading.confidence) == ("Juniper Hill ES", 0.97)


def test_a_near_miss_of_a_recogniser_is_mended_but_no_surer() -> None:
    reading = confirmed(read("Janiper Hill Elementary School"), KNOWN)
    assert (reading.value, reading.confidence) == ("Juniper Hill Elementary School", 0.79)


def test_typed_spellings_are_kept() -> None:
    assert confirmed(read("Janiper Hill School", Source.TEXT_LAYER), KNOWN).value == "Janiper Hill School"


def test_an_unknown_school_stays_as_it_is() -> None:
    assert confirmed(read("Prairie View School"), KNOWN) == read("Prairie View School")
