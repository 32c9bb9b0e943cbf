"""What stands around the words that prove values."""

from __future__ import annotations

import time

from research.document import Reference
from research.readers.protocol import SourceText
from research.readers.support import stretches_of
from research.sources.base import page_passages

TABLE = "| Evening | Cost | Ages |\n|---|---|---|\n| Lantern Nights | $40 | 6 |\n| Open Book | $25 | 6 |"
FILL = " ".join(f"Sentence number {number} is about the weather." for number in range(30))


def source(text: str) -> SourceText:
    return SourceText(Reference(key="denby", title="Denby"), "", page_passages([(text, None)]))


def test_a_stretch_begins_some_words_before_its_first_quotation() -> None:
    text = f"{FILL} Lantern Nights is new. It costs $40. Books are lent."
    [stretch] = stretches_of(
        [("Lantern Nights", "Books are lent"), ("Lantern Nights", "It costs $40")], source(text)
    )
    assert stretch.text.endswith("Lantern Nights is new. It costs $40. Books are lent")
    assert len(stretch.text.split()) < 50
    assert stretch.holds == (1, 0)


def test_quotations_far_apart_have_stretches_of_their_own_below_their_headings() -> None:
    text = f"# Costs\nIt costs $40. {FILL}\n**Who may come**\n{FILL} For ages 6 to 9."
    found = stretches_of([("Lantern Nights", "For ages 6 to 9"), ("Lantern Nights", "It costs $40")], source(text))
    assert [one.holds for one in found] == [(1,), (0,)]
    assert found[0].text == "# Costs\nIt costs $40"
    assert found[1].text.startswith("**Who may come** … ")


def test_a_row_stands_below_the_head_of_its_table() -> None:
    [stretch] = stretches_of([("Open Book", "$25 | 6")], source(TABLE))
    assert stretch.text == "| Evening | Cost | Ages | … | Open Book | $25 | 6"


def test_words_that_stand_twice_are_those_after_the_item() -> None:
    text = f"Lantern Nights: free for all. {FILL} Open Book: free for all."
    [stretch] = stretches_of([("Open Book", "free for all")], source(text))
    assert stretch.text.endswith("Open Book: free for all")


def test_what_begins_a_text_has_nothing_before_it() -> None:
    [stretch] = stretches_of([("Open Book", "It is free")], source("It is free."))
    assert stretch.text == "It is free"


def test_a_word_that_stands_everywhere() -> None:
    begun = time.process_time()
    stretches_of([("Open Book", "yes")] * 6, source("yes, books are open. " * 20_000))
    assert time.process_time() - begun < 3
