"""Plain texts of odd lines, letters and encodings."""

from __future__ import annotations

from random import Random


def one_line_of_twenty_megabytes() -> bytes:
    """A line of words without an end."""
    return b"fathers read " * 1_600_000


def one_word_of_twenty_megabytes() -> bytes:
    """A word of twenty million letters."""
    return b"a" * 20_000_000


def sentences_just_under_the_limit() -> bytes:
    """Nearly eight million letters of sentences in one paragraph."""
    return b"He reads. She listens! Do they? " * 249_000


def millions_of_lines() -> bytes:
    """Seven million lines of one letter."""
    return b"a\n" * 3_500_000


def millions_of_paragraphs() -> bytes:
    """Two million paragraphs of one letter."""
    return b"a\n\n" * 2_000_000


def blanks_before_a_word() -> bytes:
    """Twenty million blanks of different kinds, and a word."""
    return b" \t\x0b\n\f \r" * 3_000_000 + b"word"


def almost_empty_lines() -> bytes:
    """Line ends followed by long runs of blanks that no line end follows."""
    return (b"\n" + b" " * 20_000 + b"a") * 900


def dates_and_numbers() -> bytes:
    """Words that come before years and numbers, without them."""
    return b"published (c) copyright ISBN 978-1-2 10.1234/ https://a " * 130_000


def names_that_never_end() -> bytes:
    """Lists of names, semicolons and conjunctions."""
    return b"Title\n\nby " + b"A. B, C and D y E & F; " * 300_000


def letters_of_every_kind() -> bytes:
    """Random letters of all of Unicode, marks, direction signs and surrogates among them."""
    rng = Random(13)
    return "".join(
        chr(rng.choice((rng.randrange(32, 0xD7FF), rng.randrange(0xE000, 0x10FFFF)))) for _ in range(500_000)
    ).encode()


def marks_upon_one_letter() -> bytes:
    """A letter with three million accents."""
    return ("a" + "\u0301\u0323" * 1_500_000).encode()


def bytes_of_no_encoding() -> bytes:
    """Five megabytes of letters that are text in many encodings and sense in none."""
    rng = Random(13)
    return bytes(rng.choice(b"aeiou \n\xe9\xc1\xff\x81\x9d\xa0") for _ in range(5_000_000))


def words_of_two_bytes() -> bytes:
    """UTF-16 of half surrogates, cut off in the middle of a letter."""
    return b"\xff\xfe" + b"a\0\xd8\xdc\0\xd8" * 2_000_000 + b"x"


def words_of_four_bytes() -> bytes:
    """UTF-32 of numbers that are no letters."""
    return b"\xff\xfe\0\0" + b"a\0\0\0\xff\xff\xff\xff" * 1_000_000


def turned_letters() -> bytes:
    """Two million marks that turn the direction of writing."""
    return ("\u202ea\u202c" * 1_000_000).encode()


def pages_of_nothing() -> bytes:
    """Four million ends of pages."""
    return b"\x0c" * 4_000_000


def addresses() -> bytes:
    """Half a million addresses in one line."""
    return b"https://example.org/a?b=c@example.org " * 200_000
