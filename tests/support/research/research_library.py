"""A small library for tests of reports: invented programmes and studies, put straight into the tables."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass

from core.database import Database
from core.models import LibraryDocument, LibraryPassage


@dataclass(frozen=True)
class Paper:
    """A document of the library."""

    kind: str
    title: str
    author: str
    year: int
    publisher: str
    paragraphs: tuple[str, ...]
    language: str = "en"


PAPERS = (
    Paper(
        "web",
        "Breakfast with Dads at Larkspur Elementary",
        "Rosa Quillon",
        2023,
        "Larkspur School Network",
        (
            "Larkspur Elementary invites fathers to a breakfast before school on the first Friday of every month.",
            "In 2023 the breakfasts brought 142 fathers into the school, up from 31 fathers two years earlier.",
            "The programme costs $1,850 a year, most of it for food and for a coordinator's four hours a month.",
            "Fathers who came to a breakfast were twice as likely to attend the next parent conference.",
        ),
    ),
    Paper(
        "web",
        "Watch Hour: fathers as volunteers in schools",
        "Teo Marrow",
        2022,
        "Marrow Family Institute",
        (
            "Watch Hour asks each father to volunteer in the school for one hour in a month.",
            "Schools pay a licence of $600 a year and receive training for two teachers.",
            "An evaluation in 12 schools found that fathers' attendance at school events rose by 38 percent.",
            "Programmes that invite fathers by name bring in more fathers than letters addressed to parents.",
        ),
    ),
    Paper(
        "web",
        "Saturday Workshop for fathers and children",
        "Ines Calloway",
        2024,
        "Calloway Community Trust",
        (
            "The Saturday Workshop lets fathers build things with their children in the school's gymnasium.",
            "Each session costs the school $210 for wood and tools, and fathers pay nothing.",
            "Most fathers said that a task for their hands made it easier to come into the school.",
        ),
    ),
    Paper(
        "web",
        "Night shift fathers and the school day",
        "Bram Oduya",
        2021,
        "Harborlight Union Papers",
        (
            "Fathers who work nights rarely come to school events that are held in the evening.",
            "Moving one event to the early morning tripled the number of fathers from the night shift.",
            "Schools that ask fathers about their working hours plan programmes that fathers can attend.",
        ),
    ),
    Paper(
        "academic",
        "Father involvement in school programmes: a randomized trial",
        "Amara Ortiz",
        2019,
        "Journal of Invented Family Studies",
        (
            "We randomized 48 schools to a father involvement programme or to business as usual.",
            "Fathers in programme schools attended 2.4 more school events in a year than other fathers.",
            "Children's reading scores rose by 0.11 standard deviations, a difference that was not significant.",
            "The programme cost $74 per family, of which $41 was paid for the time of school staff.",
        ),
    ),
    Paper(
        "academic",
        "What brings fathers in: a review of 31 evaluations",
        "Jun Lee",
        2021,
        "Review of Imagined Education",
        (
            "We reviewed 31 evaluations of school programmes that set out to involve fathers.",
            "Personal invitations were the component most often associated with higher attendance of fathers.",
            "Only 9 of the 31 evaluations reported what the programme cost.",
            "Definitions of father involvement differ widely between the studies.",
        ),
    ),
    Paper(
        "academic",
        "Costs and benefits of father engagement in primary schools",
        "Paulo Serrano",
        2020,
        "Fictional Economics of Education Letters",
        (
            "Costs of father engagement programmes range from $12 to $190 per family and year.",
            "Programmes with volunteers cost less than half of those with paid coordinators.",
            "We found no evidence that more expensive programmes bring more fathers into schools.",
        ),
    ),
    Paper(
        "academic",
        "Barriers to fathers' attendance at school",
        "Noor Haddad",
        2018,
        "Studies in Unreal Sociology",
        (
            "Working hours were the barrier that fathers named most often, before language and transport.",
            "Fathers who did not live with their child were invited to school by only one school in five.",
            "Challenges for programmes include staff turnover and the lack of a budget for food.",
        ),
    ),
    Paper(
        "book",
        "The Handbook of Fathers and Schools",
        "Greta Lindqvist",
        2017,
        "Paper Lantern Press",
        (
            "Father involvement means that a father takes part in his child's schooling at home and at school.",
            "Schools began to invite fathers as fathers, and not only as parents, in the nineteen-nineties.",
            "A programme for fathers needs a person whom the fathers know and a date that does not change.",
        ),
    ),
    Paper(
        "book",
        "Open Doors: how schools welcome families",
        "Silas Penhaligon",
        2016,
        "Windmill Street Books",
        (
            "A school that welcomes fathers shows pictures of fathers on its walls and uses their names.",
            "Trends in family programmes go from single events to partnerships that last the whole year.",
            "Fathers come back to a school where something was asked of them.",
        ),
    ),
    Paper(
        "book",
        "Men at the School Gate",
        "Odile Farrow",
        2015,
        "Thistle University Press",
        (
            "At the school gate fathers talk to other fathers first, and to teachers later.",
            "Programmes led by fathers lose fewer members than programmes led by teachers.",
            "The use of text messages doubled the number of fathers who answered an invitation.",
        ),
    ),
)


def put_papers(database: Database, papers: tuple[Paper, ...] = PAPERS) -> None:
    """The papers as documents that are ready."""
    with database.session() as session:
        for paper in papers:
            text = "\n\n".join(paper.paragraphs)
            document = LibraryDocument(
                id=uuid.uuid5(uuid.NAMESPACE_URL, paper.title),
                kind=paper.kind,
                collection="Tests",
                title=paper.title,
                authors=[paper.author],
                publisher=paper.publisher,
                year=paper.year,
                language=paper.language,
                original_filename=f"{paper.author}.md",
                byte_size=len(text),
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                storage_key=f"library/{hashlib.sha256(paper.title.encode()).hexdigest()}",
                status="ready",
                char_count=len(text),
            )
            session.add(document)
            session.flush()
            session.add_all(_passages(document, paper))


def _passages(document: LibraryDocument, paper: Paper) -> list[LibraryPassage]:
    rows, start = [], 0
    for position, paragraph in enumerate(paper.paragraphs):
        # The blank line belongs to the paragraph before it: passages follow each other without a gap.
        text = paragraph if position == len(paper.paragraphs) - 1 else f"{paragraph}\n\n"
        rows.append(
            LibraryPassage(
                document_id=document.id,
                position=position,
                page_no=position + 1,
                start_char=start,
                end_char=start + len(text),
                text=text,
                language=paper.language,
            )
        )
        start += len(text)
    return rows
