"""Fields and content controls of a Word file become the text that they display (ECMA-376-1, 17.16 and 17.5.2)."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from pipeline.files.word.names import W14, W, is_on, number, remove, replace, run_of, text_of, value
from pipeline.files.word.styles import Styles

#: What Word writes for a checkbox.
CHECKED, UNCHECKED = "\u2612", "\u2610"
#: Fields of the page's number: nobody wrote it.
_PAGE_FIELDS = ("PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF")
#: What a merge that never took place displays.
_UNMERGED = re.compile(r"\s*[\u00ab<]{1,2}[^\u00bb>]*[\u00bb>]{1,2}\s*")
#: Beginnings of the prompts of Word's own content controls, where nothing but their style marks them.
_PROMPT = re.compile(
    r"(?:click|tap|choose|select|enter|type)\b|(?:haga|elija|escriba|introduzca|pulse|seleccione)\b", re.IGNORECASE
)
#: Fields within fields up to which they are resolved; what a file nests deeper displays nothing of its own.
_DEEPEST = 20
_NAME_OF_FIELD = re.compile(r"\s*([A-Za-z]+)")


def resolve_controls(root: Any, styles: Styles) -> None:
    """Empty the content controls that display their prompt, and have checkboxes be the character they display."""
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
            if styles.is_prompt(run) and _PROMPT.match(text_of(run).strip()):
                remove(run)


def _empty(content: Any) -> None:
    for run in list(content.iter(f"{W}r")):
        # A picture's prompt is a picture.
        remove(run)


def resolve_fields(root: Any) -> None:
    """Replace fields by the results that they display; what a field is made of is nobody's text."""
    for simple in list(root.iter(f"{W}fldSimple")):
        kept = [] if _is_unmerged(simple.get(f"{W}instr", ""), text_of(simple)) else list(simple)
        replace(simple, [child for child in kept if child.tag != f"{W}fldData"])
    for marks in _complex_fields(root):
        _resolve(*marks)


def page_number_only(paragraph: Any) -> bool:
    """Whether a paragraph of a margin is a page's number and the words around it."""
    codes = [_code(node.text or "") for node in paragraph.iter(f"{W}instrText")]
    codes += [_code(node.get(f"{W}instr", "")) for node in paragraph.iter(f"{W}fldSimple")]
    if not any(code in _PAGE_FIELDS for code in codes) and next(paragraph.iter(f"{W}pgNum"), None) is None:
        return False
    words = re.findall(r"[^\W\d_]+", text_of(paragraph).lower())
    return not set(words) - {"page", "pages", "of", "pg", "p", "página", "pagina", "páginas", "de", "pág", "pag"}


def _code(instruction: str) -> str:
    found = _NAME_OF_FIELD.match(instruction)
    return found[1].upper() if found else ""


def _is_unmerged(instruction: str, shown: str) -> bool:
    return _code(instruction) == "MERGEFIELD" and bool(_UNMERGED.fullmatch(shown))


def _complex_fields(root: Any) -> list[tuple[Any, Any, Any]]:
    """The begin, separate (None without one) and end mark of each field that ends, inner ones first."""
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
            remove(node)
    shown = [] if separate is None else [node for node in _between(separate, end) if node.tag == f"{W}t"]
    if _is_unmerged(instruction, "".join(node.text or "" for node in shown)):
        for node in shown:
            remove(node)
    _show_form_field(begin, end, [node for node in shown if (node.text or "").strip()])
    for mark in (begin, separate, end):
        if mark is not None:
            remove(mark)


def _between(first: Any, last: Any) -> list[Any]:
    """The elements after one and before another, in the order of the document."""
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
    """Whether it is content of a run, which a field's instructions do not display."""
    parent = node.getparent()
    return parent is not None and parent.tag == f"{W}r" and node.tag not in (f"{W}rPr", f"{W}fldChar")


def _show_form_field(begin: Any, end: Any, shown: list[Any]) -> None:
    """Set what a legacy form field displays, where that is no text of the document (17.16.17)."""
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
            remove(node)
    if text:
        for node in shown:
            remove(node)
        run.addnext(run_of(text, run.find(f"{W}rPr")))


def _is_prompt(default: str, shown: str) -> bool:
    """Whether a field still displays what its form has put there to be typed over."""
    return shown.strip() == default.strip() and bool(_PROMPT.match(shown.strip(" [<(")))


def _chosen(choices: Any) -> str:
    """The entry of a drop-down that is displayed: its result, else its default, else the first."""
    entries = [entry.get(f"{W}val") or "" for entry in choices.iterfind(f"{W}listEntry")]
    at = number(value(choices, "result") or value(choices, "default") or "0")
    return entries[int(at)] if at is not None and 0 <= at < len(entries) else ""


def resolve_instructions_left(root: Any) -> None:
    """Drop what is left of fields that never end: their marks and instructions, which display nothing."""
    etree.strip_elements(root, f"{W}instrText", f"{W}delInstrText", f"{W}fldChar", with_tail=False)
