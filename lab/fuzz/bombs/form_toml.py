"""Forms in TOML: deep, long and wrong values, and patterns that take much to compile or to match."""

from __future__ import annotations

_HEAD = 'key = "paddle_day"\nlabel = "Paddle day"\nkind = "form"\n'
_PRINT = '[[printed]]\nrole = "title"\nat = [60, 40, 330, 70]\ntexts = ["Riverside Paddle Day"]\n'
_FIELD = '[fields.code]\nkind = "text"\nzone = [150, 160, 500, 180]\n'


def _form(head: str = "", field: str = "", printed: str = "") -> bytes:
    return (_HEAD + head + _FIELD + field + _PRINT + printed).encode()


def _with_pattern(pattern: str) -> bytes:
    return _form(field=f"pattern = '{pattern}'\n")


def dotted_keys() -> bytes:
    """A key of forty thousand parts."""
    return (".".join(["a"] * 40_000) + " = 1").encode()


def dotted_tables() -> bytes:
    """Two hundred tables of two thousand parts, each below the last."""
    return "".join(f"[{'.'.join(['a'] * 2000)}.b{number}]\n" for number in range(200)).encode()


def nested_arrays() -> bytes:
    """A hundred thousand arrays within each other."""
    return b"a = " + b"[" * 100_000


def nested_inline_tables() -> bytes:
    """Fifty thousand inline tables within each other."""
    return b"a = " + b"{a = " * 50_000


def tables_without_end() -> bytes:
    """A hundred thousand tables in a row."""
    return b"[[a]]\n" * 150_000


def number_of_many_digits() -> bytes:
    """A side of a page of a hundred thousand digits."""
    return _form(head=f"page = [612, {'9' * 100_000}]\n")


def hexadecimal_of_many_digits() -> bytes:
    """A side of a page of a hundred thousand hexadecimal digits, which Python reads."""
    return _form(head=f"page = [612, 0x{'f' * 100_000}]\n")


def page_without_size() -> bytes:
    """A page of no width and no height."""
    return _form(head="page = [0, 0]\n")


def page_of_no_number() -> bytes:
    """A page whose sides are no number and infinite."""
    return _form(head="page = [nan, inf]\n")


def page_of_the_least_number() -> bytes:
    """A page of almost no width, on which each place is without end."""
    return _form(head="page = [5e-324, 792]\n")


def place_of_no_numbers() -> bytes:
    """A place whose sides are no numbers."""
    return _form(printed='[[printed]]\nrole = "label"\ntexts = ["a"]\nat = [nan, -inf, inf, nan]\n')


def place_of_two_numbers() -> bytes:
    """A place that misses two sides."""
    return _form(printed='[[printed]]\nrole = "label"\ntexts = ["a"]\nat = [1, 2]\n')


def place_without_area() -> bytes:
    """A place that ends where it begins."""
    return _form(printed='[[printed]]\nrole = "label"\ntexts = ["a"]\nat = [1, 2, 1, 2]\n')


def dates_for_numbers() -> bytes:
    """A place and a label of dates."""
    return _form(head="page = [2026-01-01, 12:00:00]\n", field="label = {en = 2026-01-01T00:00:00Z}\n")


def characters_that_are_not_stored() -> bytes:
    """A text with a NUL."""
    return _form(printed='[[printed]]\nrole = "note"\ntexts = ["a\\u0000b"]\n')


def field_with_a_long_name() -> bytes:
    """A field whose name has half a million letters."""
    return _form(printed=f'[fields.{"a" * 500_000}]\nkind = "text"\n')


def thousands_of_fields() -> bytes:
    """Ten thousand fields."""
    return _form(printed="".join(f'[fields.a{number}]\nkind = "text"\n' for number in range(10_000)))


def thousands_of_texts() -> bytes:
    """Four thousand printed texts that differ in a letter."""
    texts = (f'[[printed]]\nrole = "rule"\ntexts = ["{"a " * 100}{number}"]\n' for number in range(4000))
    return _form(printed="".join(texts))


def texts_of_many_words() -> bytes:
    """Two hundred texts of five thousand characters, each a label of one field."""
    text = "locker code " * 400
    prints = f'[[printed]]\nrole = "label"\nfield = "code"\nat = [1, 2, 3, 4]\ntexts = ["{text}"]\n' * 200
    return _form(printed=prints)


def pattern_that_repeats_what_repeats() -> bytes:
    """A pattern of a trillion characters, written out."""
    return _with_pattern("(((a{9999}){9999}){9999})")


def pattern_that_repeats_in_a_comment() -> bytes:
    """The same where comments hide which group a parenthesis ends."""
    return _with_pattern("(a{9999}(?#()){9999}")


def pattern_that_repeats_in_sets() -> bytes:
    """The same where sets hold parentheses."""
    return _with_pattern("(a{9999}[[:alpha:](][](]){9999}")


def pattern_that_repeats_over_lines() -> bytes:
    """The same in a pattern of several lines with spaces in its numbers."""
    return _with_pattern("(?x)((a{9 9 9 9}){9 9 9 9}){9 9 9}")


def pattern_that_calls_itself() -> bytes:
    """A pattern that matches itself."""
    return _with_pattern("(a(?R)?b|(?1)(?1))*")


def pattern_of_alternatives() -> bytes:
    """A pattern whose alternatives overlap."""
    return _with_pattern("(?:a|aa|aaa|a?a?a?|(?:a+)+)+$")


def pattern_of_nested_options() -> bytes:
    """Sixty options within each other."""
    return _with_pattern("(" * 60 + "a" + ")?" * 60)


def pattern_of_nested_repetitions() -> bytes:
    """Sixty repetitions without end within each other."""
    return _with_pattern("(?:" * 40 + "a" + ")*" * 40)


def pattern_that_may_be_misspelt() -> bytes:
    """A pattern that matches with any errors."""
    return _with_pattern("(?:" + "abc" * 40 + "){e<=60}")


def pattern_of_many_properties() -> bytes:
    """A pattern of sets of many kinds of characters, whatever their case."""
    return _with_pattern("(?i)[" + r"\p{L}\P{Lu}\w\W" * 10 + "]{1,99}")


def pattern_that_looks_around() -> bytes:
    """A pattern that looks behind and ahead at each place."""
    return _with_pattern("(?:(?<=(?:a+)*)(?=(?:a*)*)a)+")


def comments_alone() -> bytes:
    """Eight megabytes of comments."""
    return b"# nothing\n" * 800_000


def text_that_never_ends() -> bytes:
    """A text over many lines without its end."""
    return _form(head='note = """' + "line\n" * 1_000_000)


def letters_as_numbers() -> bytes:
    """A million letters, each written as its number."""
    return _form(head='note = "' + "\\U0001F600" * 1_000_000 + '"\n')


def pattern_of_many_letters() -> bytes:
    """A pattern of a hundred thousand letters."""
    return _with_pattern("a" * 100_000)


def pattern_of_many_groups() -> bytes:
    """A pattern of five thousand named groups."""
    return _with_pattern("".join(f"(?P<g{number}>a)?" for number in range(5_000)))
