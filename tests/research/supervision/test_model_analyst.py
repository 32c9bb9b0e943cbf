"""The analysis by a model: what it is shown of a long document, and what becomes of its replies."""

from __future__ import annotations

import pytest

from core.errors import ModelReplyError
from research.document import ReportDocument, Section
from research.supervision.analysis.by_model import ModelAnalyst
from research.supervision.analysis.outline import BODY_TOKENS, MAP_TOKENS
from research.supervision.loop.context import InvalidDecisionError
from research.supervision.tiers import TIERS
from research.text import count_tokens
from tests.support.research.scripted_model import ScriptedModel
from tests.support.research.supervised import document, issue

APPROVES = {"action": "pass_through", "reasoning": "It stands.", "confidence": 0.8}
SENTENCE = "Carers who say what comes next are trusted more than carers who ask [@ortiz2019]. "
#: System prompt and all that is neither map nor sections.
OVERHEAD = 2000


def asked(document: ReportDocument, explored: list[str] | None = None) -> str:
    model = ScriptedModel([APPROVES])
    ModelAnalyst(model).analyse(document, explored or [], 1, TIERS["standard"])
    ((system, user, purpose),) = model.asked
    assert purpose == "analyze_review"
    return f"{system}\n{user}"


def long_document(sections: int, words: int, level: int = 1) -> ReportDocument:
    body = SENTENCE * (words // 14)
    return ReportDocument(
        title="Foster care",
        sections=tuple(
            Section(key=f"s{number}", heading=f"Part {number}", level=1 + number % level, body=body)
            for number in range(sections)
        ),
    )


@pytest.mark.parametrize(
    ("sections", "words", "level"),
    # Three hundred pages: in chapters, in one piece, in headings of a few lines each.
    [(100, 1500, 1), (1, 150_000, 1), (5000, 30, 4), (3000, 50, 1)],
)
def test_a_prompt_is_bounded_whatever_the_document(sections: int, words: int, level: int) -> None:
    prompt = asked(long_document(sections, words, level))
    assert count_tokens(prompt) < MAP_TOKENS + BODY_TOKENS + OVERHEAD
    assert "[s0]" in prompt and "say what comes next" in prompt


def test_a_short_document_is_shown_whole() -> None:
    prompt = asked(document())
    assert all(section.body.strip() in prompt for section in document().sections)


def test_what_was_looked_into_is_told() -> None:
    assert "- attachment theory" in asked(document(), ["attachment theory\nattachment theory fathers"])


def test_the_decision_is_the_models() -> None:
    reply = {
        "action": "research_needed",
        "reasoning": "A gap.",
        "issue": issue().model_dump(mode="json"),
        "confidence": 0.9,
    }
    decision = ModelAnalyst(ScriptedModel([reply])).analyse(document(), [], 1, TIERS["standard"])
    assert (decision.issue, decision.confidence) == (issue(), 0.9)


def test_a_reply_that_cannot_be_mended() -> None:
    model = ScriptedModel([ModelReplyError("an issue is given exactly when action is research_needed")])
    with pytest.raises(InvalidDecisionError, match="research_needed"):
        ModelAnalyst(model).analyse(document(), [], 1, TIERS["standard"])
