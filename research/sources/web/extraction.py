"""Extract the text of a page: HTML without navigation and boilerplate, PDF page by page, XML, plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, NoTextError
from research.sources.passages import Paragraph, clean, passages_of
from research.sources.web.content import content_of, content_type_of, decoded
from research.sources.web.exchange import Answer
from research.sources.web.walls import is_notice, says_something
from research.text import detect_language

#: Characters of a page's source that are read.
_MOST_CHARS = 1_500_000
_HTML_LANGUAGE = re.compile(r"""<html[^>]{0,500}?\blang\s*=\s*["']?([A-Za-z]{2,3})\b""", re.IGNORECASE)
_TABLE_RULE = re.compile(r"[\s|:-]+")
_YEAR = re.compile(r"(1[89]|20)\d\d")
#: XML elements of JATS, DocBook, RSS and Atom whose text is a paragraph.
_XML_PARAGRAPHS = frozenset(
    {"p", "para", "title", "article-title", "abstract", "summary", "description", "content"}
)


def text_of(answer: Answer) -> FetchedText:
    """Return the text of a fetched page. Raises NoTextError."""
    media_type, charset = content_type_of(answer.headers)
    content = content_of(media_type, answer.body)
    if content == "pdf":
        return _pdf(answer)
    characters = decoded(answer.body, charset)[:_MOST_CHARS]
    if content == "html":
        return _html(characters, answer.url)
    if content == "xml":
        return _xml(answer, characters)
    plain = paragraphs_of(characters) if content == "markdown" else re.split(r"\n\s*\n", characters)
    return text_from(((paragraph, None) for paragraph in plain), url=answer.url)


def text_from(
    paragraphs: Iterator[Paragraph] | Sequence[Paragraph],
    *,
    url: str | None,
    title: str | None = None,
    language: str | None = None,
    year: int | None = None,
) -> FetchedText:
    """Build a text from paragraphs. Raises NoTextError if they are only a login wall or notice."""
    passages = passages_of(paragraphs)
    whole = "".join(passage.text for passage in passages)
    if not says_something(whole.splitlines()) or is_notice(title or "", whole):
        raise NoTextError("a page without text, or only a notice")
    return FetchedText(passages, url, clean(title or "") or None, language or detect_language(whole), year)


def _html(characters: str, url: str) -> FetchedText:
    import trafilatura
    from lxml.etree import LxmlError

    try:
        document = trafilatura.bare_extraction(
            characters,
            url=url,
            include_comments=False,
            with_metadata=True,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except (LxmlError, ValueError, RecursionError) as exc:
        raise NoTextError(f"a page that cannot be read: {type(exc).__name__}") from exc
    if document is None or isinstance(document, dict):
        raise NoTextError("a page without text")
    lines = [line for line in (document.text or "").split("\n") if not _TABLE_RULE.fullmatch(line)]
    language = _HTML_LANGUAGE.search(characters)
    year = _YEAR.match(document.date or "")
    return text_from(
        [(line.strip(" |"), None) for line in lines],
        url=url,
        title=document.title,
        language=language[1].lower() if language else None,
        year=int(year[0]) if year else None,
    )


def _pdf(answer: Answer) -> FetchedText:
    # Imported here: it takes half a second, and most reports read no PDF from the web.
    from research.sources.web.pdf_text import read_pdf

    paragraphs, title = read_pdf(answer.body)
    return text_from(paragraphs, url=answer.url, title=title)


def _xml(answer: Answer, characters: str) -> FetchedText:
    from lxml import etree

    # Entities and DTDs are not resolved: both can refer to local files and addresses.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(answer.body, parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise NoTextError("XML that cannot be read") from exc
    etree.strip_elements(root, etree.Entity, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    names = [etree.QName(element).localname if isinstance(element.tag, str) else "" for element in root.iter()]
    if names[0] == "html":
        return _html(characters, answer.url)
    found = [element for element, name in zip(root.iter(), names, strict=True) if name in _XML_PARAGRAPHS]
    inner = {child for element in found for child in element.iterdescendants()}
    texts = [" ".join("".join(element.itertext()).split()) for element in found if element not in inner]
    return text_from([(text, None) for text in texts or [" ".join(root.itertext())]], url=answer.url)
