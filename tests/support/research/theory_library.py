"""A library whose papers rest on two theories, and a document of the same subject that names neither."""

from __future__ import annotations

from tests.support.research.research_library import Paper

DOCUMENT = """\
# Reading evenings with fathers

## What the evenings are

Schools invite fathers to read with their children in the evening [1]. Fathers and children choose the books
together, and the school lends them [2]. Most evenings take place in the library of the school, and reading aloud
is what fathers and children do first.

## What comes of them

Children whose fathers came to reading evenings read more at home in the following weeks [1]. Fathers said that
they would come again, and that reading with their children had become a habit for the family [2].

## What they cost

An evening costs a school about forty dollars for books and coffee [2]. Volunteers among the fathers lead most of
the reading evenings, so that schools pay nobody for the work with children.

## References

1. Abara, N. (2018). Fathers who read with their children. Journal of Invented Reading.
2. Brandt, K. (2020). Reading evenings in schools. Imagined School Press.
"""

_ATTACHMENT = (
    "Attachment theory explains why children read more with fathers whom they feel safe with.",
    "Studies of reading evenings rest on attachment theory, which holds that a secure bond lets a child explore.",
    "In attachment theory the father is a secure base from which the child turns to new books.",
)
_SCAFFOLDING = (
    "The concept of scaffolding describes how a reading father gives a child as much help as it needs.",
    "Scaffolding means that fathers take their help back as the child reads more by itself.",
    "Schools that explain scaffolding to fathers see children read longer texts aloud.",
)


def _paper(kind: str, title: str, author: str, year: int, publisher: str, *paragraphs: str) -> Paper:
    return Paper(kind, title, author, year, publisher, paragraphs)


THEORY_PAPERS = (
    _paper(
        "academic",
        "Fathers who read with their children",
        "Nia Abara",
        2018,
        "Journal of Invented Reading",
        "Fathers who read with their children in the evening build a habit that the family keeps.",
        *_ATTACHMENT[:2],
        _SCAFFOLDING[0],
    ),
    _paper(
        "book",
        "Reading evenings in schools",
        "Karl Brandt",
        2020,
        "Imagined School Press",
        "Reading evenings invite fathers and children into the library of the school.",
        _ATTACHMENT[2],
        *_SCAFFOLDING[1:],
    ),
    _paper(
        "academic",
        "Bonds and books: fathers, children and reading at school",
        "Sora Ibanez",
        2021,
        "Annals of Unreal Psychology",
        "We followed 90 fathers and their children through a year of reading evenings at school.",
        "Attachment theory predicted which children read more books with their fathers at home.",
        "The concept of scaffolding was known to few of the fathers who read with their children.",
    ),
    _paper(
        "web",
        "How fathers help children read",
        "Tam Okoro",
        2022,
        "Okoro Reading Centre",
        "Fathers help their children read by listening, asking and waiting at the reading evenings of the school.",
        "Scaffolding is what teachers call it when a father helps only as much as the child needs in reading.",
        "According to attachment theory children dare to read aloud when their fathers are calm.",
    ),
)
