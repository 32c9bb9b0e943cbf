import pytest

from pipeline.extraction.mending import mended
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
