import pytest

from pipeline.extract_ifi import read_entry
from pipeline.profiles import FieldKind, common_fields, known_heads
from tests.support.reading.paper import Set, essay, page


def read(*heads: str) -> dict[str, str | None]:
    texts: list[Set] = [(72, 60 + 15 * n, head) for n, head in enumerate(heads)]
    return {n: r.value for n, r in read_entry([page(1, [*texts, *essay(60 + 15 * len(heads) + 20)])])[0].items()}


@pytest.mark.parametrize(
    "heads",
    [
        ("Marisol Vega", "Juniper Hill School", "Room 214", "4th Grade"),
        ("4th grade", "Marisol Vega", "Juniper Hill School"),
        ("Name: Marisol Vega", "School: Juniper Hill School", "Grade: 4"),
        ("Nombre: Marisol Vega", "Escuela: Juniper Hill School", "Grado: 4to"),
        ("Name: Marisol Vega Grade: 4 School: Juniper Hill School",),
        ("Marisol Vega, Juniper Hill School, Grade 4",),
        ("By Marisol Vega", "Juniper Hill School101", "cuarto grado"),
        ("Marisol Vega", "Mrs. Halverson", "Juniper Hill School", "Grade 4", "March 3, 2026"),
        ("Marisol Vega | Juniper Hill School | Room 12 | 4th grade", "My Hero"),
        ("Marisol Vega - Juniper Hill School - Grade 4", "My Hero"),
        ("Marisol\u200bVega", "Juniper\u200bHill\u200bSchool", "Grade\u200b4"),
    ],
)
def test_headers_of_every_kind(heads: tuple[str, ...]) -> None:
    found = read(*heads)
    assert (found["student_name"], found["school_name"], found["grade"]) == (
        "Marisol Vega",
        "Juniper Hill School",
        "4",
    )
    assert "teacher_name" not in found


def test_a_letter_behind_grade_is_no_label() -> None:
    assert read("Marisol Vega | Juniper Hill School | Grade K", "A Hero Without a Cape")["grade"] == "K"


def test_wider_spaces_part_the_values_of_a_line() -> None:
    texts: list[Set] = [(72, 60, "Marisol Ines Vega"), (171, 60, "Harriet Lane Magnet"), (280, 60, "Grade K")]
    readings, _ = read_entry([page(1, [*texts, *essay(120)])])
    assert (readings["student_name"].value, readings["school_name"].value, readings["grade"].value) == (
        "Marisol Ines Vega",
        "Harriet Lane Magnet",
        "K",
    )


def test_a_school_in_letters_with_its_room_glued_on() -> None:
    assert read("Marisol Vega", "Port Linden HS117", "Grade 9")["school_name"] == "Port Linden HS"


@pytest.mark.parametrize(
    "heads", [(), ("My Father, My Hero",), ("What my father means to me",), ("March 3, 2026",), ("Room 214",)]
)
def test_no_usable_name_leaves_none(heads: tuple[str, ...]) -> None:
    found = read(*heads)
    assert "student_name" not in found
    assert "school_name" not in found


def test_the_header_is_no_part_of_the_essay() -> None:
    assert read("Marisol Vega", "Juniper Hill School", "Grade 4")["word_count"] == "80"
    assert read()["word_count"] == "80"


def test_two_names_are_never_sure() -> None:
    texts: list[Set] = [(72, 60, "Marisol Vega"), (72, 75, "Ernesto Vega"), (72, 90, "Juniper School, Grade 4")]
    readings, _ = read_entry([page(1, [*texts, *essay(120)])])
    name = readings["student_name"]
    assert name.confidence < 0.8 or name.unaccounted


def test_a_school_without_the_word_is_sure_where_both_readers_see_it() -> None:
    texts: list[Set] = [(72, 60, "Marisol Vega"), (72, 75, "Nueva Aurora"), (72, 90, "Grade 4")]
    readings, _ = read_entry([page(1, [*texts, *essay(120)])])
    assert readings["school_name"].value == "Nueva Aurora"
    assert readings["school_name"].method == "labelled + header line"


@pytest.mark.parametrize(
    "heads",
    [
        ("Marisol Vega", "Whittier", "4th"),
        ("Whittier / 4th / Marisol Vega",),
        ("4TH GRADE", "MARISOL VEGA", "WHITTIER"),
    ],
)
def test_headers_without_any_label(heads: tuple[str, ...]) -> None:
    found = {name: (value or "").title() for name, value in read(*heads).items()}
    assert (found["student_name"], found["school_name"], found["grade"]) == ("Marisol Vega", "Whittier", "4")


def test_a_signature_on_the_second_page_counts_and_what_page_one_gives_stands() -> None:
    first = page(1, [(72, 60, "What My Father Means to Me"), *essay(90)])
    foot: list[Set] = [(72, 400, "Marisol Vega"), (72, 415, "Whittier, 4th grade")]
    readings, _ = read_entry([first, page(2, [*essay(60), *foot])])
    assert {n: readings[n].value for n in ("student_name", "school_name", "grade")} == {
        "student_name": "Marisol Vega",
        "school_name": "Whittier",
        "grade": "4",
    }


def test_a_name_and_a_school_on_one_line_without_a_sign_between_are_not_believed() -> None:
    texts: list[Set] = [
        (72, 60, "Marisol Vega Juniper Hill School 4th grade"),
        (72, 78, "Helping Hands"),
        *essay(110),
    ]
    fields = read_entry([page(1, texts)])[0]
    school = fields.get("school_name")
    assert school is None or school.value == "Juniper Hill School" or school.confidence < 0.8
    assert fields["grade"].value == "4"


def test_a_heading_below_an_empty_heading_is_not_its_value() -> None:
    found = read("Name: Marisol Vega", "School:", "Grade: 4")
    assert (found["student_name"], found.get("school_name"), found["grade"]) == ("Marisol Vega", None, "4")


def test_the_essay_below_an_empty_heading_is_not_its_value() -> None:
    found = read(
        "School: Juniper Hill School", "Grade: 4", "Name:", "My father drives the bus that takes me to school"
    )
    assert found.get("student_name") is None


def test_a_name_from_right_to_left_is_read_as_it_was_written() -> None:
    """The words of the page are given from left to right."""
    words: list[Set] = [
        (72, 60, "Name:"),
        (130, 60, "הלוי"),
        (160, 60, "כהן"),
        (190, 60, "דוד"),
        (72, 75, "Grade: 4"),
    ]
    assert read_entry([page(1, [*words, *essay(120)])])[0]["student_name"].value == "דוד כהן הלוי"


VALUES = {
    FieldKind.PERSON: "Ernesto Quill",
    FieldKind.SCHOOL: "Juniper School",
    FieldKind.GRADE: "4",
    FieldKind.EMAIL: "e.quill@example.org",
    FieldKind.PHONE: "312-555-0134",
}
LABELS = [
    (one.name, language, label)
    for one in common_fields().values()
    for language, label in one.label.items()
    if not one.derived
]


@pytest.mark.parametrize(("field", "language", "label"), LABELS)
def test_what_a_field_is_called_is_known_in_front_of_its_value(field: str, language: str, label: str) -> None:
    kind, heads = known_heads()[field]
    assert label.lower() in heads
    if kind in (FieldKind.ESSAY, FieldKind.REACTION):
        return
    value = VALUES.get(kind, "Ernesto Quill")
    found = read(f"{label}: {value}")
    assert found.get(field) == (None if kind is FieldKind.IGNORED else value)
    assert not [name for name, given in found.items() if given == value and name != field]


@pytest.mark.parametrize(
    "label",
    ["Father / father figure", "Father or father-figure", "Name of father or father figure", "Padre o tutor"],
)
def test_labels_of_the_father_figure(label: str) -> None:
    found = read("Name: Marisol Vega", "School: Juniper School", "Grade: 4", f"{label}: Ernesto Quill")
    assert found["father_figure_name"] == "Ernesto Quill"
