import pytest

from pipeline.extraction.values.fields import mended
from pipeline.profiles import FieldKind


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("Cascade Plains Hish", "Cascade Plains High"),
        ("Red Barn Eem", "Red Barn Elem"),
        ("Chestnut Hill", "Chestnut Hill"),
        ("Juniper Elemantary Schodl", "Juniper Elementary School"),
    ],
)
def test_the_kinds_of_school_are_put_right(read: str, right: str) -> None:
    assert mended(FieldKind.SCHOOL, read) == right


def test_names_are_left_as_they_were_read() -> None:
    assert mended(FieldKind.PERSON, "Marisoi Hish") == "Marisoi Hish"


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("Patemabrian Quimby", "Brian Quimby"),
        ("PaternaIrene Vale", "Irene Vale"),
        ("A Barry Sterling", "Barry Sterling"),
        ("A. Barry Sterling", "A. Barry Sterling"),
        ("A Sterling", "A Sterling"),
        ("Paternoster Vale", "Paternoster Vale"),
        ("Simone Ortega", "Simone Ortega"),
    ],
)
def test_the_end_of_a_label_is_no_name(read: str, right: str) -> None:
    assert mended(FieldKind.PERSON, read) == right


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("JEROMESUTTON", "JEROME SUTTON"),
        ("Nestormaldonado", "Nestor Maldonado"),
        ("ReeseMc Bride", "Reese McBride"),
        ("Arjun Fig Ueroa", "Arjun Figueroa"),
        ("Zachary Escobar-Valen Zuela", "Zachary Escobar-Valenzuela"),
        ("Ana Ruiz-Vega", "Ana Ruiz-Vega"),
        ("Maldonado", "Maldonado"),
        ("Ana De Luca", "Ana De Luca"),
        ("Ana Del Valle", "Ana Del Valle"),
        ("Rosa San Martin", "Rosa San Martin"),
        ("Anne Marie Vale", "Anne Marie Vale"),
        ("Mary Ann Ortega", "Mary Ann Ortega"),
        ("Xyqrtwv", "Xyqrtwv"),
    ],
)
def test_words_of_a_name_stand_apart(read: str, right: str) -> None:
    assert mended(FieldKind.PERSON, read) == right


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("Josephnie Acosta Josephine Acosta", "Josephine Acosta"),
        ("Josephine Acosta Josephnie Acosta", "Josephine Acosta"),
        ("Smione-Atwood Simone Atwood", "Simone Atwood"),
        ("Ana María de la Cruz", "Ana María de la Cruz"),
        ("Maria Luz Mario Luis", "Maria Luz Mario Luis"),
    ],
)
def test_a_name_that_was_written_again_is_one(read: str, right: str) -> None:
    assert mended(FieldKind.PERSON, read) == right


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("d,vega@gmail:com", "d.vega@gmail.com"),
        ("dvega@gmai1.com", "dvega@gmail.com"),
        ("dvega@exampleorg", "dvega@example.org"),
        ("dvega@mail.exampie.0rg", "dvega@mail.exampie.org"),
        ("dvega@org", "dvega@org"),
        ("no address", "no address"),
    ],
)
def test_the_dots_and_ends_of_an_address_are_put_right(read: str, right: str) -> None:
    assert mended(FieldKind.EMAIL, read) == right
