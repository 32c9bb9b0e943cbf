"""The page of prompts shows every prompt."""

from __future__ import annotations

from itertools import pairwise

from markdown_it import MarkdownIt

from lab.cassettes.prompts_page import PAGE, Pair, Prompt, page, prompts

FIND = Prompt("a.prompts", "FIND_SYSTEM", "You find {most} things.\nSay no more.")


def test_the_page_has_a_chapter_for_each_prompt() -> None:
    tokens = MarkdownIt().parse(PAGE.read_text(encoding="utf-8"))
    # What a request shows of a source may have headings of its own, inside its block of code.
    told = [text.content for opens, text in pairwise(tokens) if (opens.type, opens.tag) == ("heading_open", "h2")]
    assert told == [f"`{prompt.name}`" for prompt in prompts()], "run `make prompts`"


def test_a_prompt_is_shown_with_its_median_request() -> None:
    pairs = [Pair("small", "You find 3 things.", "x" * length, "{}") for length in (9, 3, 6)]
    shown = page([FIND], pairs)
    assert "Recorded 3 times: 6 + 2 tokens, reply 1." in shown
    assert "```text\nxxxxxx\n```" in shown


def test_a_prompt_without_a_record_says_so() -> None:
    assert "No request of it is recorded." in page([FIND], [Pair("small", "You plan.", "x", "{}")])


def test_a_long_request_is_cut() -> None:
    assert "[… 400 characters more]" in page([FIND], [Pair("small", "You find 1 things.", "y" * 2000, "{}")])
