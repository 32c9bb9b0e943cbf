"""What a model writes is held to its quotations: new sentences carry one that stands, or they go."""

from __future__ import annotations

from typing import Any

from core.messages import Message
from research.document import Reference, ReportDocument, Section
from research.material import SourceText
from research.memo.worker_result import Finding
from research.sources.base import Passage
from research.supervision.codes import RefusalCode
from research.supervision.guard import problems_of
from research.supervision.integration.by_model import ModelIntegrator, Revision
from research.supervision.loop.context import Expansion
from tests.support.research.supervised import issue

OLD = "Reading aloud helps [@ortiz2019]. It costs little [@lee2021#c2]."
QUOTE = "Attachment theory holds that children explore from a secure base."
OTHER = "In attachment theory a father is a base that children return to."
DOCUMENT = ReportDocument(
    title="Reading",
    sections=(Section(key="one", heading="Reading aloud", body=OLD),),
    references=(Reference(key="ortiz2019", title="Aloud"), Reference(key="lee2021", title="Cost")),
)


class Says:
    """A model with one reply."""

    def __init__(self, body: str, *quotes: tuple[str, str]) -> None:
        sections = [{"key": "one", "heading": "Reading aloud", "body": body}]
        given = [{"key": key, "quote": quote} for key, quote in quotes]
        self.reply = Revision.model_validate({"sections": sections, "quotes": given})

    def ask(self, system: str, user: str, schema: type[Any], **_: object) -> tuple[Any, None]:
        return self.reply, None


def expansion() -> Expansion:
    texts = {"theory2020": f"{QUOTE} {OTHER}", "ortiz2019": "Reading aloud helps children who listen to it."}
    sources = {
        key: SourceText(Reference(key=key, title=key), "example.org", (Passage(text, 0, len(text)),))
        for key, text in texts.items()
    }
    return Expansion((Finding("theory2020", QUOTE, 0, len(QUOTE)),), sources)


def body_of(model: Says) -> tuple[str, ReportDocument]:
    integration = ModelIntegrator(model).integrate(DOCUMENT, issue(), expansion(), [])  # type: ignore[arg-type]
    return integration.document.sections[0].body, integration.document


def test_a_new_sentence_carries_the_quotation_most_like_it() -> None:
    new = "Fathers are a base that children return to [@theory2020]. Children explore [@theory2020]."
    body, document = body_of(Says(f"{OLD} {new}", ("theory2020", QUOTE), ("theory2020", OTHER)))
    first, second = body.removeprefix(OLD).split("]. ")
    assert first.partition("#")[2] != second.partition("#")[2].rstrip("].")
    assert body.startswith(OLD), "what stood before stays as it was"
    assert [reference.key for reference in document.references] == ["ortiz2019", "lee2021", "theory2020"]
    assert not problems_of(DOCUMENT, document, ["theory2020"])


def test_a_sentence_whose_quotation_is_made_up_goes() -> None:
    new = "Bowlby said so. Every child needs nine fathers [@theory2020]."
    body, document = body_of(Says(f"{OLD} {new}", ("theory2020", "Every child needs nine fathers at home.")))
    assert "nine fathers" not in body
    assert "theory2020" not in {reference.key for reference in document.references}
    assert problems_of(DOCUMENT, document, ["theory2020"]) == [Message.of(RefusalCode.NOTHING_NEW)]


def test_a_source_that_is_cited_already_may_carry_something_new() -> None:
    new = "Children who listen are helped [@ortiz2019]."
    body, document = body_of(Says(f"{OLD} {new}", ("ortiz2019", "Reading aloud helps children who listen to it.")))
    assert body.count("[@ortiz2019]") == 1 and body.count("[@ortiz2019#x") == 1
    assert not problems_of(DOCUMENT, document, ["ortiz2019"])
