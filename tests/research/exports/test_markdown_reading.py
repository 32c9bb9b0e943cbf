from __future__ import annotations

import pytest

from research.document import Reference, ReportDocument, Section
from research.exports.markdown import from_markdown, to_markdown
from tests.support.research.markers import marker_problems

NUMBERED = """# Fathers in schools

An abstract with a claim[1].

## Background

Text [1, 2] and [1–3], but not [9]; a [link](http://x.example) and `code [1]`.

### Deeper

A footnote[^2].

```
# no heading [1]
```

## Background

Again.

## References

1. Ortiz, M. (2019). *Fathers and schools*. Press. https://doi.org/10.1234/abc.5
2. Lee, A. "Breakfast mornings", 2021, <https://beta.example/x>
3. An entry over
   two lines
"""


def test_headings_become_sections_with_keys_of_their_own() -> None:
    document = from_markdown(NUMBERED)
    assert document.title == "Fathers in schools"
    assert [(s.key, s.level) for s in document.sections[1:]] == [
        ("background", 1),
        ("deeper", 2),
        ("background-2", 1),
    ]
    assert "# no heading" in document.sections[2].body


@pytest.mark.parametrize("top", ["# Fathers in schools", "#  fathers in Schools  #"])
def test_a_title_that_is_said_twice_is_meant_once(top: str) -> None:
    document = from_markdown(f'---\ntitle: "Fathers in schools"\n---\n{top}\n\n## Why\n\nThey come.\n')
    assert document.title.casefold() == "fathers in schools"
    assert [(s.heading, s.level) for s in document.sections] == [("Why", 1)]


def test_numbers_become_keys() -> None:
    document = from_markdown(NUMBERED)
    keys = [reference.key for reference in document.references]
    assert keys[:2] == ["ortiz2019", "lee2021"] and len(keys) == 3
    body = document.sections[1].body
    assert "Text [@ortiz2019] [@lee2021] and" in body and f"[@{keys[2]}]" in body
    assert "not [9]" in body and "`code [1]`" in body and "[link](http://x.example)" in body
    assert document.sections[0].body.endswith("claim[@ortiz2019].")
    assert document.sections[2].body.startswith("A footnote[@lee2021].")


def test_entries_are_taken_apart_as_far_as_can_be_told() -> None:
    ortiz, lee, third = from_markdown(NUMBERED).references
    assert (ortiz.title, ortiz.year, ortiz.doi) == ("Fathers and schools", 2019, "10.1234/abc.5")
    assert (lee.title, lee.url) == ("Breakfast mornings", "https://beta.example/x")
    assert third.as_written == "An entry over two lines"


def test_keys_in_pandocs_manner() -> None:
    document = from_markdown(
        "# T\n\n## A\n\nSaid [@Ortiz2019, p. 3; @lee2021].\n\n## Bibliography\n\n[@ortiz2019] Ortiz."
    )
    assert document.sections[0].body == "Said [@ortiz2019] [@lee2021]."
    assert [reference.key for reference in document.references] == ["ortiz2019", "lee2021"]
    assert marker_problems(document) == []


@pytest.mark.parametrize("keyed", [True, False])
def test_round_trip(keyed: bool) -> None:
    written = to_markdown(from_markdown(NUMBERED), keyed=keyed)
    assert to_markdown(from_markdown(written), keyed=keyed) == written


def test_a_keyed_round_trip_keeps_claims_and_limits() -> None:
    document = ReportDocument(
        title="Título",
        language="es",
        extractive=True,
        sections=(
            Section(key="en-resumen", heading="En resumen", body="«Los padres llegan.» [@rios2020#c1]"),
            Section(key="mas", heading="Más", level=2, body="- uno\n- dos [@rios2020#c2]"),
        ),
        references=(Reference(key="rios2020", title="Padres", as_written="Ríos, A. (2020). Padres. Casa."),),
        limits=("No se encontró nada sobre: costos",),
    )
    read = from_markdown(to_markdown(document, keyed=True))
    assert read.sections == document.sections and read.limits == document.limits
    assert (read.title, read.language, read.extractive) == ("Título", "es", True)
    assert [reference.key for reference in read.references] == ["rios2020"]


@pytest.mark.parametrize(
    "text", ["", "Just a line.", "# Only a title", "Setext\n======\n\nText\n\nSub\n---\n\nMore"]
)
def test_little_or_other_markdown(text: str) -> None:
    document = from_markdown(text)
    assert "".join(section.body for section in document.sections) in {"", "Just a line.", "TextMore"}


FRONT = '---\ntitle:   "Fathers in schools"   # ours\nauthor: [N. Abara]\nbibliography: refs.bib\n---\n'


@pytest.mark.parametrize(
    "front", [FRONT, FRONT.replace("\n", "\r\n"), FRONT.replace("---\n", "...\n").replace("...\n", "---\n", 1)]
)
def test_front_matter_is_written_as_it_was_read(front: str) -> None:
    written = to_markdown(from_markdown(f"{front}# Fathers in schools\n\n## Why\n\nThey come.\n"))
    assert written.startswith(front)
    assert to_markdown(from_markdown(written)) == written


def test_a_title_of_the_front_matter_alone_is_not_made_a_heading() -> None:
    front = "---\ntitle: Fathers in schools\n---\n"
    document = from_markdown(f"{front}\n## Why\n\nThey come.\n\n## How\n\nBy bus.\n")
    assert (document.title, document.title_heading) == ("Fathers in schools", False)
    assert to_markdown(document).startswith(f"{front}\n## Why")
    renamed = document.model_copy(update={"title": "Fathers at school"})
    assert "# Fathers at school" in to_markdown(renamed)
    assert "---" not in to_markdown(document, keyed=True), "what a person edits is the text"


def test_thousands_of_headings_and_references_alike_have_their_own_keys() -> None:
    document = from_markdown(
        "## Part\n\nWords.\n\n" * 3000 + "# References\n\n" + "- Ann Lee (2021). Kites.\n" * 3000
    )
    assert len({one.key for one in document.sections}) == 3000
    assert [one.key for one in document.sections[:3]] == ["part", "part-2", "part-3"]
    assert len(document.references) == 3000
