"""Names of elements and attributes of a Word file (ECMA-376-1, Transitional), and small questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741 - the prefix that the format gives it
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_OFF = ("0", "false", "off")


def is_on(element: Any) -> bool:
    """Whether a property is set: an element of type CT_OnOff that does not say otherwise."""
    return element is not None and element.get(f"{W}val", "1").lower() not in _OFF


def value(element: Any, name: str) -> str:
    """The `w:val` of a child, "" without one."""
    child = element.find(f"{W}{name}") if element is not None else None
    return (child.get(f"{W}val") or "") if child is not None else ""


def number(text: str | None) -> float | None:
    """A number that an attribute gives; None for anything else."""
    try:
        return float(text) if text else None
    except ValueError:
        return None


def run_of(text: str, properties: Any = None) -> Any:
    """A new run with this text."""
    run = etree.Element(f"{W}r")
    if properties is not None:
        run.append(deepcopy(properties))
    node = etree.SubElement(run, f"{W}t")
    node.set(XML_SPACE, "preserve")
    node.text = text
    return run


def paragraph_of(text: str) -> Any:
    """A new paragraph with this text."""
    paragraph = etree.Element(f"{W}p")
    paragraph.append(run_of(text))
    return paragraph


def remove(element: Any) -> None:
    """Take an element out of its tree."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def replace(element: Any, others: Any) -> None:
    """Put other elements in the place of one."""
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    parent[at : at + 1] = list(others)


def text_of(element: Any) -> str:
    """The text of a paragraph or run: its letters, a space for each tab and line break."""
    return "".join(_pieces(element))


def _pieces(element: Any) -> Iterator[str]:
    for node in element.iter(f"{W}t", f"{W}tab", f"{W}br", f"{W}cr", f"{W}noBreakHyphen"):
        if node.tag == f"{W}t":
            yield node.text or ""
        elif node.getparent().tag != f"{W}tabs":
            yield "-" if node.tag == f"{W}noBreakHyphen" else " "
