"""The text of a part of a Word file as a person reads it, for a converter that knows less of the format."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree
from mammoth.docx.dingbats import dingbats

from pipeline.files.word.fields import resolve_controls, resolve_fields, resolve_instructions_left
from pipeline.files.word.names import MC, M, W, is_on, remove, replace, run_of
from pipeline.files.word.styles import Styles

#: What of a newer Word is understood here; of the rest the form that it keeps for older programs is read.
_UNDERSTOOD = {"wps", "wpg", "wpc", "wp14", "w14", "w15", "w16", "w16se", "w16cid", "w16cex", "a14", "v", "pic"}
#: Elements that say how their content is set, and that the converter would leave out with it.
_WRAPPERS = (f"{W}dir", f"{W}bdo", f"{W}smartTag", f"{W}customXml", f"{W}ins", f"{W}moveTo")
#: Content that was taken away with changes tracked.
_GONE = (f"{W}del", f"{W}moveFrom")
_PROPERTIES = (f"{W}rPr", f"{W}trPr", f"{W}pPr", f"{W}tcPr", f"{W}numPr")
#: Type whose letters are pictures.
_PICTURE_TYPE = {name.lower(): name for name, _ in dingbats}
#: Runs of these look through to the page: letters, and what stands for one.
_LETTERS = (f"{W}t", f"{W}sym", f"{W}tab", f"{W}noBreakHyphen", f"{W}ptab")


def resolve_alternatives(root: Any) -> None:
    """Keep one form of what is written for newer and older programs (ECMA-376-3, 10): the newest understood."""
    for either in list(root.iter(f"{MC}AlternateContent")):
        chosen = None
        for choice in either.iterfind(f"{MC}Choice"):
            if set(choice.get("Requires", "").split()) <= _UNDERSTOOD:
                chosen = choice
                break
        if chosen is None or not len(chosen):
            fallback = either.find(f"{MC}Fallback")
            chosen = fallback if fallback is not None and len(fallback) else either.find(f"{MC}Choice")
        replace(either, list(chosen) if chosen is not None else [])


def resolve_text(root: Any, styles: Styles) -> None:
    """Leave the text that is displayed: results of fields, nothing deleted, hidden or struck through."""
    for gone in list(root.iter(*_GONE)):
        if gone.getparent() is not None and gone.getparent().tag not in _PROPERTIES:
            remove(gone)
    for row in list(root.iter(f"{W}tr")):
        if is_on(row.find(f"{W}trPr/{W}hidden")):
            remove(row)
    resolve_controls(root, styles)
    resolve_fields(root)
    resolve_instructions_left(root)
    _unwrap(root)
    for run in list(root.iter(f"{W}r")):
        _resolve_run(run, styles)
    # What is left of these stands where no letters can.
    etree.strip_elements(root, f"{W}sym", with_tail=False)
    _join_drop_caps(root)


def _unwrap(root: Any) -> None:
    for wrapper in list(root.iter(*_WRAPPERS)):
        if wrapper.getparent() is not None and wrapper.getparent().tag in _PROPERTIES:
            continue
        replace(wrapper, [child for child in wrapper if child.tag not in (f"{W}smartTagPr", f"{W}customXmlPr")])
    for ruby in list(root.iter(f"{W}ruby")):
        base = ruby.find(f"{W}rubyBase")
        # A run within a run: the letters alone are taken out of it.
        replace(ruby, [] if base is None else list(base.iter(f"{W}t")))
    for formula in list(root.iter(f"{M}oMath")):
        text = _formula(formula)
        replace(formula, [run_of(text)] if text.strip() else [])
    for around in list(root.iter(f"{M}oMathPara")):
        runs = list(around.iter(f"{W}r"))
        parent = around.getparent()
        if parent is not None and parent.tag != f"{W}p":
            paragraph = etree.Element(f"{W}p")
            paragraph.extend(runs)
            runs = [paragraph]
        replace(around, runs)


def _formula(formula: Any) -> str:
    """The letters of a formula in one line; a fraction with its bar."""
    pieces = []
    for node in formula.iter(f"{M}t", f"{M}den", f"{W}t"):
        pieces.append("/" if node.tag == f"{M}den" else node.text or "")
    return "".join(pieces)


def _resolve_run(run: Any, styles: Styles) -> None:
    if styles.hidden(run):
        for node in [node for node in run if node.tag != f"{W}rPr"]:
            run.remove(node)
        return
    if not styles.displayed(run):
        for letters in _LETTERS:
            for node in run.findall(letters):
                run.remove(node)
        return
    font = _picture_type(run)
    for node in list(run):
        if node.tag == f"{W}noBreakHyphen":
            _put_text(node, "-")
        elif node.tag == f"{W}softHyphen":
            run.remove(node)
        elif node.tag in (f"{W}ptab", f"{W}cr"):
            node.tag = f"{W}tab" if node.tag == f"{W}ptab" else f"{W}br"
            node.attrib.clear()
        elif node.tag == f"{W}sym":
            _put_text(node, _symbol(node.get(f"{W}font") or "", node.get(f"{W}char") or ""))
        elif node.tag == f"{W}t" and font and node.text:
            node.text = "".join(_dingbat(font, ord(letter)) or letter for letter in node.text)


def _put_text(node: Any, text: str) -> None:
    new = run_of(text)[0]
    replace(node, [new] if text else [])


def _symbol(font: str, char: str) -> str:
    """The letter of a `w:sym`: of a picture type by its table, of another the letter itself (17.3.3.30)."""
    try:
        code = int(char, 16)
    except ValueError:
        return ""
    if font.lower() in _PICTURE_TYPE or 0xF000 <= code <= 0xF0FF:
        return _dingbat(font, code)
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code <= 0xFFFD else ""


def _dingbat(font: str, code: int) -> str:
    name = _PICTURE_TYPE.get(font.lower(), "")
    found = dingbats.get((name, code)) or dingbats.get((name, code & 0xFF))
    return chr(found) if found else ""


def _picture_type(run: Any) -> str:
    fonts = run.find(f"{W}rPr/{W}rFonts")
    name = (fonts.get(f"{W}ascii") or "") if fonts is not None else ""
    return name if name.lower() in _PICTURE_TYPE else ""


def _join_drop_caps(root: Any) -> None:
    """Put a drop cap, which is a paragraph of its own, before the letters that it begins (17.3.1.11)."""
    for frame in list(root.iter(f"{W}framePr")):
        paragraph = frame.getparent().getparent() if frame.getparent() is not None else None
        if frame.get(f"{W}dropCap") not in ("drop", "margin") or paragraph is None or paragraph.tag != f"{W}p":
            continue
        after = paragraph.getnext()
        if after is None or after.tag != f"{W}p":
            continue
        at = 1 if len(after) and after[0].tag == f"{W}pPr" else 0
        for run in reversed(paragraph.findall(f"{W}r")):
            after.insert(at, deepcopy(run))
        remove(paragraph)
