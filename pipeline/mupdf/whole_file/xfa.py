"""The data of a form drawn by XFA (XML Forms Architecture 3.3, "Data Mapping")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from core.mupdf import pymupdf

_MOST_BYTES = 8 << 20
_MOST_FIELDS = 400
#: Letters of one value.
_LONGEST = 20_000
_REFERENCE = re.compile(r"(?<!\d)(\d{1,10}) \d{1,5} R")
_BEGIN, _END = re.compile(rb"<(?:\w{1,40}:)?datasets\b"), b"datasets>"


def read_xfa(document: pymupdf.Document) -> list[tuple[str, str]]:
    """Return the values that were filled in, each with its label, in the order of the data."""
    xml = _packets(document)
    found = _parsed(xml)
    if found is None and (begin := _BEGIN.search(xml)) is not None:
        found = _parsed(xml[begin.start() : xml.rfind(_END) + len(_END)])
    if found is None:
        return []
    captions = dict(_captions(found))
    data = next((node for node in found.iter() if _tag(node) == "data"), None)
    if data is None:
        return []
    values: list[tuple[str, str]] = []
    for node in _leaves(data):
        if (text := _text(node)) and len(values) < _MOST_FIELDS:
            values.append((captions.get(_tag(node)) or _label(_tag(node)), text[:_LONGEST]))
    return values


def _packets(document: pymupdf.Document) -> bytes:
    """Return the XML, which may be in several streams that follow one another."""
    kind, value = document.xref_get_key(document.pdf_catalog(), "AcroForm/XFA")
    numbers = [int(number) for number in _REFERENCE.findall(value)]
    if kind == "xref" and not document.xref_is_stream(numbers[0]):
        numbers = [int(number) for number in _REFERENCE.findall(document.xref_object(numbers[0]))]
    xml = b""
    for number in numbers:
        if 0 < number < document.xref_length() and document.xref_is_stream(number):
            xml += document.xref_stream(number) or b""
        if len(xml) > _MOST_BYTES:
            return b""
    return xml


def _parsed(xml: bytes) -> ElementTree.Element | None:
    # No form needs a document type, and nested entities would expand without limit.
    if b"<!DOCTYPE" in xml or b"<!ENTITY" in xml or b"\0" in xml[:200]:
        return None
    try:
        return ElementTree.fromstring(xml)  # nosec B314
    except (ElementTree.ParseError, ValueError):
        return None


def _tag(node: ElementTree.Element) -> str:
    return str(node.tag).rpartition("}")[2]


def _captions(found: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield what the template prints beside each field, by the field's name."""
    for field in found.iter():
        if _tag(field) != "field" or not field.get("name"):
            continue
        for caption in (node for node in field if _tag(node) == "caption"):
            if text := " ".join(" ".join(caption.itertext()).split()):
                yield field.get("name", ""), text.rstrip(":")


def _leaves(data: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield the elements that hold a value: text, or text with its formatting as XHTML."""
    waiting = [data]
    while waiting:
        node = waiting.pop()
        inner = list(node)
        if not inner or any(_tag(child) == "body" for child in inner):
            yield node
        else:
            waiting += reversed(inner)


def _text(node: ElementTree.Element) -> str:
    paragraphs = [child for child in node.iter() if _tag(child) == "p"]
    if paragraphs:
        return "\n".join(" ".join("".join(child.itertext()).split()) for child in paragraphs).strip()
    return "".join(node.itertext()).strip()


def _label(tag: str) -> str:
    """Return an element's name as words: studentName, student_name as "Student name"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_.\-]+", " ", tag).split()
    return " ".join(words).capitalize()
