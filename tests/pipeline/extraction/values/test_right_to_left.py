import pytest

from pipeline.extraction.tokens import as_written


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        ("Student: الحسن سارة", "Student: سارة الحسن"),
        ("الحسن سارة", "سارة الحسن"),
        ("לוי דוד :שם", ":שם דוד לוי"),
        ("Student: الحسن سارة (Sara)", "Student: سارة الحسن (Sara)"),
        ("Name: ג 5 ב א Grade: 4", "Name: א ב 5 ג Grade: 4"),
        ("5 الصف الحسن سارة", "سارة الحسن الصف 5"),
        ("José Núñez, grade 4", "José Núñez, grade 4"),
        ("", ""),
    ],
)
def test_words_come_in_the_order_of_writing(seen: str, written: str) -> None:
    assert " ".join(as_written(seen.split())) == written
