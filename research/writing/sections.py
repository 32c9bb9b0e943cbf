"""Write the sections of a narrative: with a model if there is one, else from sentences of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.errors import ModelError
from core.llm import Model
from research.citations import effective_domains, top_domain_share
from research.document import Section
from research.material import ReportMaterial
from research.section_keys import section_key
from research.writing.claims import ClaimBook
from research.writing.dangling import dangles
from research.writing.headings import heading_of
from research.writing.model_section import ModelSection, model_section
from research.writing.narrative import Evidence, Theme, in_short, opening, theme_body
from research.writing.quoting import paragraph
from research.writing.relevance import Scored
from research.writing.wording import WORDING, Wording

#: Most sentences that a model may write for a section and for the opening.
_SECTION, _OPENING = 12, 4


@dataclass
class Sections:
    """The sections, whether a model wrote any, and limits to state."""

    sections: list[Section] = field(default_factory=list)
    by_model: bool = False
    limits: list[str] = field(default_factory=list)
    left_out: int = 0


def write_opening(
    material: ReportMaterial,
    evidence: Evidence,
    themes: Sequence[Theme],
    book: ClaimBook,
    keys: set[str],
    model: Model | None,
) -> Sections:
    """The section "In short"; none where nothing answers."""
    words, done = WORDING[material.config.language], Sections()
    best = _best_of(themes)
    if not best:
        return done
    body = _by_model(words.in_short, material.query, best, _OPENING, material, model, book, done)
    if body is None:
        done.sections = opening(material, evidence, themes, book, keys)
    else:
        done.sections = [Section(key=section_key(words.in_short, keys), heading=words.in_short, body=body)]
    return done


def write_sections(
    material: ReportMaterial, evidence: Evidence, themes: Sequence[Theme], book: ClaimBook, model: Model | None
) -> Sections:
    """The opening, and a section for each question that has an answer."""
    words, keys = WORDING[material.config.language], set[str]()
    done = write_opening(material, evidence, themes, book, keys, model)
    # Sentences of a digest's opening are not repeated in its sections.
    taken = set[int]() if done.by_model else {id(item) for item in in_short(themes, evidence.scale)}
    for theme in themes:
        if not theme.chosen:
            continue
        heading = heading_of(theme.question)
        body = _by_model(heading, theme.question, theme.answering, _SECTION, material, model, book, done)
        if body is None:
            rest = [item for item in theme.chosen if id(item) not in taken] or list(theme.chosen)
            body = theme_body(rest, evidence.scale, book, material)
        done.sections.append(Section(key=section_key(heading, keys), heading=heading, body=body))
    if done.by_model:
        done.sections += _further(material, themes, book, keys)
    return _with_left_out(done, words)


def _with_left_out(done: Sections, words: Wording) -> Sections:
    if done.left_out:
        done.limits.append(words.dropped.format(count=done.left_out))
    return done


def _by_model(
    heading: str,
    question: str,
    excerpts: Sequence[Scored],
    limit: int,
    material: ReportMaterial,
    model: Model | None,
    book: ClaimBook,
    done: Sections,
) -> str | None:
    """Return the section's body written by the model.

    Returns None if the section must be a digest, and adds a limit to `done` if the model failed.
    """
    if model is None:
        return None
    written: ModelSection | None = None
    try:
        written = model_section(question, excerpts, limit, material, model, book)
    except ModelError:
        # The section becomes a digest; the limits state it, and the call's record has the reason.
        written = None
    if written is None:
        done.limits.append(WORDING[material.config.language].model_away.format(section=heading))
        return None
    done.by_model = True
    done.left_out += written.left_out
    return written.body


def _further(material: ReportMaterial, themes: Sequence[Theme], book: ClaimBook, keys: set[str]) -> list[Section]:
    """Return a section of sentences from domains that the model did not cite.

    It is added only if the cited domains are too few or one has more than its share.
    """
    cited = {claim.source_key for claim in book.all if claim.source_key}
    domains = [material.sources[key].domain for key in sorted(cited)]
    config = material.config
    if (
        effective_domains(domains) >= config.min_total_domains
        and top_domain_share(domains) <= config.max_domain_share
    ):
        return []
    other = {item.sentence.domain: item.sentence for item in reversed(_best_of(themes))}
    passed_over = [sentence for domain, sentence in reversed(other.items()) if domain not in domains]
    free = [sentence for sentence in passed_over if not dangles(sentence.text, sentence.language)]
    if not free:
        return []
    heading = WORDING[config.language].further
    body = paragraph(free, book, config.language)
    return [Section(key=section_key(heading, keys), heading=heading, body=body)]


def _best_of(themes: Sequence[Theme]) -> list[Scored]:
    """Return the chosen sentences of all questions, in turns."""
    longest = max((len(theme.chosen) for theme in themes), default=0)
    return [theme.chosen[place] for place in range(longest) for theme in themes if place < len(theme.chosen)]
