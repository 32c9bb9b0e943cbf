import pytest

from pipeline.pages.widgets import is_prompt


@pytest.mark.parametrize(
    "text",
    [
        "Type school name",
        "Type the student's full name here",
        "Type father’s name",
        "Type grade",
        "Click or tap here to enter text.",
        "Click here to write your reaction",
        "Choose an item.",
        "Enter your e-mail address",
        "Please enter the student's name",
        "Escriba el nombre del estudiante",
        "Haga clic aquí para escribir texto.",
        "Seleccione el grado",
        "School name here",
        "Your full name",
        "Nombre aquí",
        "name@example.com",
        "your.email@domain.com",
        "(555) 555-5555",
        "123-456-7890",
        "(xxx) xxx-xxxx",
        "000-000-0000",
        "mm/dd/yyyy",
    ],
)
def test_what_a_form_asks_for(text: str) -> None:
    assert is_prompt(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Grade 3",
        "City School",
        "Your Father",
        "Here School",
        "Marisol Quintero",
        "Grant Fields",
        "Write Elementary School",
        "Father",
        "Abuelo",
        "School of the Arts",
        "(312) 555-0142",
        "312-555-0100",
        "marisol@example.org",
        "you.jin@example.com",
        "5",
        "I write here every day because my father gave me a notebook, and he told me to put my name in it.",
        "Enter here and be happy, my father says.",
    ],
)
def test_what_somebody_wrote(text: str) -> None:
    assert not is_prompt(text)


def test_a_field_that_says_its_own_name_is_not_filled_in() -> None:
    names = ("Student_Full_Name", "Your child's teacher")
    assert is_prompt("Student full name", names)
    assert is_prompt("Your childs teacher", names)
    assert not is_prompt("Student", ("Student",))
    assert not is_prompt("Full Name Student", names)
