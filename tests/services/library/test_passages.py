"""Passages follow each other without a gap, near their length, within their page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.library.blocks import TextBlock, full_text
from services.library.passages import TARGET, passages_of_blocks

_TEXT = st.text(st.sampled_from("aé Z.!? ñ0-"), min_size=1, max_size=4000)
_BLOCKS = st.lists(
    st.builds(
        TextBlock,
        text=_TEXT,
        level=st.sampled_from([None, None, None, 1, 2]),
        page_no=st.none(),
        tight=st.booleans(),
        runs_on=st.booleans(),
    ),
    max_size=8,
)


@given(_BLOCKS)
def test_joined_they_are_the_whole(blocks: list[TextBlock]) -> None:
    passages = passages_of_blocks(blocks)
    text = "".join(passage.text for passage in passages)
    assert text == "".join(whole for _, whole in full_text(blocks))
    assert [passage.position for passage in passages] == list(range(len(passages)))
    for passage in passages:
        assert text[passage.start_char : passage.end_char] == passage.text
        assert 0 < len(passage.text) <= 3 * TARGET


def test_they_end_where_sentences_do_and_begin_at_headings() -> None:
    long = "The fathers came to the school on Monday. " * 60
    passages = passages_of_blocks(
        [TextBlock("Evenings", 1), TextBlock(long), TextBlock("Costs", 2), TextBlock("It cost $4. " * 30)]
    )
    assert all(passage.text.rstrip().endswith(".") for passage in passages)
    assert passages[-1].heading == "Evenings › Costs" and passages[-1].text.startswith("Costs\n\nIt cost")
    assert passages[0].text.startswith("Evenings\n\nThe fathers")


def test_a_passage_stays_on_its_page() -> None:
    passages = passages_of_blocks(
        [TextBlock("It was a long", page_no=1, runs_on=True), TextBlock("way home.", page_no=2)]
    )
    assert [(passage.page_no, passage.text) for passage in passages] == [(1, "It was a long "), (2, "way home.")]


def test_a_very_long_line_is_cut_quickly() -> None:
    passages = passages_of_blocks([TextBlock("x" * 4_000_000)])
    assert sum(len(passage.text) for passage in passages) == 4_000_000 and len(passages) == 4999
