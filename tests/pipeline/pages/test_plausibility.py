import pytest

from pipeline.pages.text_trust import plausible_letters, plausible_word
from tests.support.reading.documents import ESSAY

SPANISH = "Mi papá trabaja de noche y me enseñó a andar en bicicleta cuando cumplí siete años; siempre escucha."


def share(words: list[str]) -> float:
    return plausible_letters(words) / sum(map(len, words))


def shifted(text: str, by: int) -> list[str]:
    return ["".join(chr(ord(c) + by) for c in word) for word in text.split()]


@pytest.mark.parametrize("text", [ESSAY, SPANISH, "Student’s Name / Nombre del Estudiante Grade / Grado School"])
def test_both_languages_are_plausible(text: str) -> None:
    assert share(text.split()) > 0.95


@pytest.mark.parametrize("by", [-29, -3, 1, 3, 7, 13, 29, 0xE000, 0x2000, 300])
@pytest.mark.parametrize("text", [ESSAY, SPANISH])
def test_shifted_letters_are_not(text: str, by: int) -> None:
    assert share(shifted(text, by)) < 0.55


@pytest.mark.parametrize(
    "word",
    ["Xóchitl", "Nguyen", "McAllister", "O'Brien", "Kowalski-Diaz", "K-12", "4th", "2/27/2026", "6°", "404", "B12",
     "555-0142", "ana@example.org", "(3rd)", "NASA", "…", "___________", "“Papá,”", "I", "and/or",
     "file:///home/ana/answers.html", "chrome-extension://abcdef/print", "www.example.org/essay?id=7"],
)  # fmt: skip
def test_what_people_write_is_plausible(word: str) -> None:
    assert plausible_word(word)


@pytest.mark.parametrize(
    "word", ["6WXGHQW", "1DPH", "\ue012\ue013", "�me", "xqzkj", "6FKRRO", "naMeS", "$ERXW", "P\\"]
)
def test_what_nobody_writes_is_not(word: str) -> None:
    assert not plausible_word(word)


def test_no_words_are_no_letters() -> None:
    assert plausible_letters([]) == 0
