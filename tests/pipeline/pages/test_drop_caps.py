import pytest

from pipeline.pages.layout import with_joined_initials
from pipeline.pages.page_model import Box, Source, Word

HEIGHT = 792.0


def word(text: str, x: float, y: float, line: int, size: float = 12.0, width: float = 30.0) -> Word:
    return Word(
        text,
        Box(x / 612, y / HEIGHT, (x + width) / 612, (y + size * 1.3) / HEIGHT),
        1.0,
        Source.TEXT_LAYER,
        line,
        size,
    )


def lines(first: str, left: float = 110) -> list[Word]:
    """Three lines beside an initial, and some under it."""
    texts = [f"{first} a clock in the", "shop that he has had", "since he was a boy"]
    words = [
        word(text, left + 34 * n, 100 + 16 * row, row)
        for row, line in enumerate(texts)
        for n, text in enumerate(line.split())
    ]
    return [
        *words,
        *(
            word(text, 72 + 34 * n, 148 + 16 * row, 3 + row)
            for row in range(3)
            for n, text in enumerate(["and", "he", "let", "me", "wind", "it"])
        ),
    ]


def read(initial: Word, first: str) -> str:
    return " ".join(w.text for w in with_joined_initials([initial, *lines(first)], HEIGHT)[:3])


@pytest.mark.parametrize(
    ("letter", "first", "said"),
    [
        ("M", "y dad mends", "My dad mends"),
        ("M", "Y DAD mends", "MY DAD mends"),
        ("“W", "hen he mends", "“When he mends"),
        ("I", "t was mended", "It was mended"),
        ("A", "lways he mends", "Always he mends"),
        ("Á", "ngel mends it", "Ángel mends it"),
        ("I", "love to mend", "I love to"),
        ("A", "father can mend", "A father can"),
        ("Y", "él lo hace", "Yél lo hace"),
    ],
)
def test_an_initial_belongs_to_the_first_word_of_the_first_line(letter: str, first: str, said: str) -> None:
    assert read(word(letter, 72, 90, 9, 46, 36), first) == said


def test_the_whole_word_is_where_both_parts_are_on_the_height_of_its_line() -> None:
    initial = word("M", 72, 90, 9, 46, 36)
    joined = with_joined_initials([initial, *lines("y")], HEIGHT)[0]
    assert (joined.box.x0, joined.box.y0, joined.size) == (initial.box.x0, pytest.approx(100 / HEIGHT), 12.0)


def test_a_raised_initial_on_its_line() -> None:
    assert read(word("M", 72, 84, 9, 26, 36), "y dad mends") == "My dad mends"


@pytest.mark.parametrize(
    "initial", [word("K", 300, 20, 9, 30), word("M", 72, 600, 9, 46), word("4", 72, 90, 9, 46)]
)
def test_other_large_letters_stay(initial: Word) -> None:
    words = [initial, *lines("y")]
    assert with_joined_initials(words, HEIGHT) == words


def test_pages_of_one_size_stay_as_they_are() -> None:
    words = lines("I")
    assert with_joined_initials(words, HEIGHT) is words
