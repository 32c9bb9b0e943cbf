"""What a Word file displays by its styles, fields and content controls, and what else it holds."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from pipeline.files.content_type import FileNote, file_note
from pipeline.files.word.package import (
    W14,
    O,
    Package,
    R,
    W,
    element_text,
    is_on,
    number_in,
    remove_element,
    replace_element,
    run_of,
    value,
)
from pipeline.reason_codes import ReasonCode

# Turn fields and content controls into the text that they display (ECMA-376-1, 17.16 and 17.5.2).


#: What Word writes for a checkbox.
CHECKED, UNCHECKED = "\u2612", "\u2610"
#: Fields for page numbers, which nobody wrote.
_PAGE_FIELDS = ("PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF")
#: The display of a mail merge that was never run.
_UNMERGED = re.compile(r"\s*[\u00ab<]{1,2}[^\u00bb>]*[\u00bb>]{1,2}\s*")
#: Beginnings of the prompts of Word's own content controls that are marked only by their style.
_PROMPT = re.compile(
    r"(?:click|tap|choose|select|enter|type)\b|(?:haga|elija|escriba|introduzca|pulse|seleccione)\b", re.IGNORECASE
)
#: Greatest depth of nested fields that are resolved; deeper ones display nothing.
_DEEPEST = 20
_NAME_OF_FIELD = re.compile(r"\s*([A-Za-z]+)")


def resolve_controls(root: Any, styles: Styles) -> None:
    """Empty the content controls that display their prompt; replace checkboxes with the displayed character."""
    for control in list(root.iter(f"{W}sdt")):
        properties, content = control.find(f"{W}sdtPr"), control.find(f"{W}sdtContent")
        if content is None:
            continue
        if properties is not None:
            if is_on(properties.find(f"{W}showingPlcHdr")):
                _empty(content)
            for box in properties.findall(f"{W14}checkbox"):
                properties.remove(box)
        for run in list(content.iter(f"{W}r")):
            if styles.is_prompt(run) and _PROMPT.match(element_text(run).strip()):
                remove_element(run)


def _empty(content: Any) -> None:
    for run in list(content.iter(f"{W}r")):
        # A picture's prompt is a picture.
        remove_element(run)


def resolve_fields(root: Any) -> None:
    """Replace fields with the results that they display; nobody wrote their instructions."""
    for simple in list(root.iter(f"{W}fldSimple")):
        kept = [] if _is_unmerged(simple.get(f"{W}instr", ""), element_text(simple)) else list(simple)
        replace_element(simple, [child for child in kept if child.tag != f"{W}fldData"])
    for marks in _complex_fields(root):
        _resolve(*marks)


def page_number_only(paragraph: Any) -> bool:
    """Whether a paragraph of a margin is only a page number and the words around it."""
    codes = [_code(node.text or "") for node in paragraph.iter(f"{W}instrText")]
    codes += [_code(node.get(f"{W}instr", "")) for node in paragraph.iter(f"{W}fldSimple")]
    if not any(code in _PAGE_FIELDS for code in codes) and next(paragraph.iter(f"{W}pgNum"), None) is None:
        return False
    words = re.findall(r"[^\W\d_]+", element_text(paragraph).lower())
    return not set(words) - {"page", "pages", "of", "pg", "p", "página", "pagina", "páginas", "de", "pág", "pag"}


def _code(instruction: str) -> str:
    found = _NAME_OF_FIELD.match(instruction)
    return found[1].upper() if found else ""


def _is_unmerged(instruction: str, shown: str) -> bool:
    return _code(instruction) == "MERGEFIELD" and bool(_UNMERGED.fullmatch(shown))


def _complex_fields(root: Any) -> list[tuple[Any, Any, Any]]:
    """Return the begin, separate (or None) and end mark of each complete field, inner ones first."""
    fields, open_fields = [], []
    for mark in root.iter(f"{W}fldChar"):
        kind = mark.get(f"{W}fldCharType")
        if kind == "begin":
            open_fields.append([mark, None])
        elif kind == "separate" and open_fields and open_fields[-1][1] is None:
            open_fields[-1][1] = mark
        elif kind == "end" and open_fields:
            begin, separate = open_fields.pop()
            if len(open_fields) < _DEEPEST:
                fields.append((begin, separate, mark))
    return fields


def _resolve(begin: Any, separate: Any, end: Any) -> None:
    until = end if separate is None else separate
    instruction = "".join(node.text or "" for node in _between(begin, until) if node.tag == f"{W}instrText")
    for node in _between(begin, until):
        if _draws(node):
            remove_element(node)
    shown = [] if separate is None else [node for node in _between(separate, end) if node.tag == f"{W}t"]
    if _is_unmerged(instruction, "".join(node.text or "" for node in shown)):
        for node in shown:
            remove_element(node)
    _show_form_field(begin, end, [node for node in shown if (node.text or "").strip()])
    for mark in (begin, separate, end):
        if mark is not None:
            remove_element(mark)


def _between(first: Any, last: Any) -> list[Any]:
    """Return the elements between two others, in document order."""
    found, node = [], first
    while (node := _next(node)) is not None and node is not last:
        found.append(node)
    return found


def _next(node: Any) -> Any:
    if len(node):
        return node[0]
    while node is not None:
        if (after := node.getnext()) is not None:
            return after
        node = node.getparent()
    return None


def _draws(node: Any) -> bool:
    """Whether it is content of a run, which is not displayed within a field's instructions."""
    parent = node.getparent()
    return parent is not None and parent.tag == f"{W}r" and node.tag not in (f"{W}rPr", f"{W}fldChar")


def _show_form_field(begin: Any, end: Any, shown: list[Any]) -> None:
    """Insert what a legacy form field displays if the document's text does not have it (17.16.17)."""
    data, run = begin.find(f"{W}ffData"), end.getparent()
    if data is None or run is None or run.tag != f"{W}r":
        return
    text = ""
    if (box := data.find(f"{W}checkBox")) is not None:
        checked = box.find(f"{W}checked")
        text = CHECKED if is_on(checked if checked is not None else box.find(f"{W}default")) else UNCHECKED
    elif (choices := data.find(f"{W}ddList")) is not None:
        text = _chosen(choices)
    elif _is_prompt(value(data.find(f"{W}textInput"), "default"), "".join(node.text or "" for node in shown)):
        for node in shown:
            remove_element(node)
    if text:
        for node in shown:
            remove_element(node)
        run.addnext(run_of(text, run.find(f"{W}rPr")))


def _is_prompt(default: str, shown: str) -> bool:
    """Whether a field still displays the default text of its form."""
    return shown.strip() == default.strip() and bool(_PROMPT.match(shown.strip(" [<(")))


def _chosen(choices: Any) -> str:
    """Return the displayed entry of a drop-down: its result, else its default, else the first."""
    entries = [entry.get(f"{W}val") or "" for entry in choices.iterfind(f"{W}listEntry")]
    at = number_in(value(choices, "result") or value(choices, "default") or "0")
    return entries[int(at)] if at is not None and 0 <= at < len(entries) else ""


def resolve_instructions_left(root: Any) -> None:
    """Drop the marks and instructions of fields that never end: they display nothing."""
    etree.strip_elements(root, f"{W}instrText", f"{W}delInstrText", f"{W}fldChar", with_tail=False)


# What a Word file holds besides the text and pictures that are read.


#: Relationships to embedded files.
_ATTACHED = ("oleObject", "package")


def held_notes(package: Package, parts: Sequence[str], documents: Sequence[str]) -> list[FileNote]:
    """Return notes of embedded files and further documents. Call it before the package is changed.

    `parts` are the displayed parts, `documents` all Word documents of the package.
    """
    notes = []
    if names := _attached(package, parts):
        notes.append(file_note(ReasonCode.ATTACHMENTS, len(names), names))
    others = [posixpath.basename(name) for name in documents if name != package.main]
    relations = package.relations(package.main).values()
    others += [relation.target for relation in relations if relation.kind == "subDocument"]
    if others:
        notes.append(file_note(ReasonCode.MORE_IN_FILE, len(others), others))
    return notes


def _attached(package: Package, parts: Sequence[str]) -> list[str]:
    """Return the embedded files: each by the program that made it, or its name."""
    found: dict[str, str] = {}
    for part in parts:
        programs = {node.get(f"{R}id"): node.get("ProgID") for node in package.tree(part).iter(f"{O}OLEObject")}
        for key, relation in package.relations(part).items():
            if relation.kind in _ATTACHED:
                found.setdefault(relation.target, programs.get(key) or posixpath.basename(relation.target))
    return list(found.values())


def remarks(package: Package) -> int:
    """Return the number of comments that are not empty."""
    return sum(_says_something(comment) for part in package.related("comments") for comment in package.tree(part))


def _says_something(comment: Any) -> bool:
    return any((text.text or "").strip() for text in comment.iter(f"{W}t"))


# Whether the letters of a run are displayed, by the styles of a Word file (ECMA-376-1, 17.7).


#: Longest chain of styles based on one another; a file may make it a circle.
_CHAIN = 20
#: Name of the style of prompts in all languages of Word.
_PLACEHOLDER = ("placeholder text", "placeholdertext")
#: Largest size (half-points) of letters that are too small to be seen.
_SPECK = 2
#: Theme colours that are white in all of Word's themes except the dark ones.
_WHITE_THEME = ("background1", "light1", "bg1", "lt1")
#: Values of a shading or highlight without a visible ground.
_NO_GROUND = ("", "auto", "ffffff", "none", "white", "nil")
_STRUCK = ("strike", "dstrike")


@dataclass(slots=True)
class _Style:
    based_on: str
    name: str
    element: Any

    @property
    def properties(self) -> Any:
        """Its properties of letters, or None."""
        return self.element.find(f"{W}rPr")

    @property
    def paragraph(self) -> Any:
        """Its properties of paragraphs, or None."""
        return self.element.find(f"{W}pPr")


@dataclass(slots=True)
class Styles:
    _by_id: dict[str, _Style] = field(default_factory=dict)
    _defaults: dict[str, str] = field(default_factory=dict)
    _document: Any = None
    _chain_of: dict[str, list[_Style]] = field(default_factory=dict)
    #: Whether pages have a background colour, so that white letters are visible.
    coloured_page: bool = False

    @classmethod
    def of(cls, root: Any) -> Styles:
        """The styles of `word/styles.xml`; none for None."""
        styles = cls()
        if root is None:
            return styles
        styles._document = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        for element in root.iterfind(f"{W}style"):
            key, kind = element.get(f"{W}styleId", ""), element.get(f"{W}type", "")
            if key in styles._by_id:
                # The first style of an id applies (17.7.4.17).
                continue
            styles._by_id[key] = _Style(value(element, "basedOn"), value(element, "name"), element)
            if element.get(f"{W}default", "0").lower() in ("1", "true", "on"):
                styles._defaults.setdefault(kind, key)
        return styles

    def hidden(self, run: Any) -> bool:
        """Whether a run and its pictures are not displayed at all."""
        properties = run.find(f"{W}rPr")
        return self._toggled(
            "vanish", properties, self._chains(properties, next(run.iterancestors(f"{W}p"), None))
        )

    def displayed(self, run: Any) -> bool:
        """Whether the letters of a run that is not hidden are legible: not struck through, white or tiny."""
        properties = run.find(f"{W}rPr")
        paragraph = next(run.iterancestors(f"{W}p"), None)
        chains = self._chains(properties, paragraph)
        if any(self._toggled(name, properties, chains) for name in _STRUCK):
            return False
        size = number_in(_nearest("sz", properties, chains, self._document))
        if size is not None and 0 < size <= _SPECK:
            return False
        return self.coloured_page or not self._white(run, properties, paragraph, chains)

    def begins_page(self, paragraph: Any) -> bool:
        """Whether a paragraph begins a page, by itself or by its style."""
        properties = paragraph.find(f"{W}pPr")
        key = value(properties, "pStyle") or self._defaults.get("paragraph", "")
        for owner in (properties, *(style.paragraph for style in self._chain(key))):
            own = owner.find(f"{W}pageBreakBefore") if owner is not None else None
            if own is not None:
                return is_on(own)
        return False

    def is_prompt(self, run: Any) -> bool:
        """Whether a run has the style of prompts."""
        key = value(run.find(f"{W}rPr"), "rStyle")
        style = self._by_id.get(key)
        return key.lower() in _PLACEHOLDER or (style is not None and style.name.lower() in _PLACEHOLDER)

    def _chains(self, properties: Any, paragraph: Any) -> list[list[_Style]]:
        """Return the chains of a run's styles, nearest first: those of letters, then those of the paragraph."""
        of_paragraph = paragraph.find(f"{W}pPr") if paragraph is not None else None
        return [
            self._chain(value(properties, "rStyle") or self._defaults.get("character", "")),
            self._chain(value(of_paragraph, "pStyle") or self._defaults.get("paragraph", "")),
        ]

    def _chain(self, key: str) -> list[_Style]:
        if key not in self._chain_of:
            chain: list[_Style] = []
            based_on = key
            while based_on in self._by_id and len(chain) < _CHAIN:
                chain.append(self._by_id[based_on])
                based_on = chain[-1].based_on
            self._chain_of[key] = chain
        return self._chain_of[key]

    def _toggled(self, name: str, properties: Any, chains: list[list[_Style]]) -> bool:
        """Evaluate a toggle property (17.7.3): as the run says, else on if exactly one of two styles says so."""
        own = properties.find(f"{W}{name}") if properties is not None else None
        if own is not None:
            return is_on(own)
        if self._document is not None and is_on(self._document.find(f"{W}{name}")):
            return True
        return sum(next(_toggles(name, chain), False) for chain in chains) == 1

    def _white(self, run: Any, properties: Any, paragraph: Any, chains: list[list[_Style]]) -> bool:
        if not self._white_letters(properties, chains):
            return False
        if any(_grounded(owner, properties, chains) for owner in ("shd", "highlight")):
            return False
        if paragraph is not None and _ground(paragraph.find(f"{W}pPr")):
            return False
        if any(_ground(style.paragraph) for style in chains[1]):
            return False
        return not any(
            self._is_ground(around) for around in run.iterancestors(f"{W}tc", f"{W}txbxContent", f"{W}tbl")
        )

    def _is_ground(self, around: Any) -> bool:
        """Whether a cell, table or shape may have a colour; the fill of a shape is not looked up."""
        if (
            around.tag == f"{W}txbxContent"
            or _ground(around.find(f"{W}tcPr"))
            or _ground(around.find(f"{W}tblPr"))
        ):
            return True
        chain = self._chain(value(around.find(f"{W}tblPr"), "tblStyle"))
        return any(_colours(shade) for style in chain for shade in style.element.iter(f"{W}shd"))

    def _white_letters(self, properties: Any, chains: list[list[_Style]]) -> bool:
        for owner in (properties, *(style.properties for chain in chains for style in chain), self._document):
            colour = owner.find(f"{W}color") if owner is not None else None
            if colour is not None:
                theme = colour.get(f"{W}themeColor", "").lower()
                if theme:
                    return theme in _WHITE_THEME and not colour.get(f"{W}themeShade")
                return str(colour.get(f"{W}val", "")).lower() == "ffffff"
        return False


def _toggles(name: str, chain: list[_Style]) -> Iterator[bool]:
    for style in chain:
        own = style.properties.find(f"{W}{name}") if style.properties is not None else None
        if own is not None:
            yield is_on(own)


def _nearest(name: str, properties: Any, chains: list[list[_Style]], document: Any) -> str:
    for owner in (properties, *(style.properties for chain in chains for style in chain), document):
        if found := value(owner, name):
            return found
    return ""


def _grounded(name: str, properties: Any, chains: list[list[_Style]]) -> bool:
    owners = (properties, *(style.properties for chain in chains for style in chain))
    return any(_ground(owner, name) for owner in owners)


def _ground(owner: Any, name: str = "shd") -> bool:
    """Whether a shading or highlight makes white letters visible."""
    shade = owner.find(f"{W}{name}") if owner is not None else None
    if shade is None:
        return False
    if name == "highlight":
        return (shade.get(f"{W}val") or "").lower() not in _NO_GROUND
    return _colours(shade)


def _colours(shade: Any) -> bool:
    """Whether a shading is anything but white."""
    if (shade.get(f"{W}fill") or "").lower() not in _NO_GROUND or shade.get(f"{W}themeFill"):
        return True
    return (shade.get(f"{W}val") or "").lower() not in ("", "clear", "nil")
