"""A Word file as a package of parts, the names of its elements, and mails and web pages within it."""

from __future__ import annotations

import email
import email.policy
import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from copy import deepcopy
from html import escape
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.parsers.expat import ExpatError

from lxml import etree, html

from core.config import FileBounds
from core.errors import EncryptedDocumentError, UnpacksTooLargeError

#: Exceptions of the libraries for an invalid Word file.
BROKEN_WORD = (
    zipfile.BadZipFile,
    # Raised by every XML parser, including lxml.
    SyntaxError,
    LookupError,
    ValueError,
    AttributeError,
    TypeError,
    OSError,
    EOFError,
    NotImplementedError,
    RecursionError,
    RuntimeError,
    zlib.error,
    ExpatError,
)
_MAX_PARTS = 5000
_TYPES = "[Content_Types].xml"
#: Content types of the main part: documents and templates, without and with macros (which are never run).
_MAIN_TYPES = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    "application/vnd.ms-word.document.macroenabled.main+xml",
    "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
)
#: Where desktop Word puts the main part.
_USUAL_MAIN = "word/document.xml"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
#: Namespaces of ISO 29500 Strict, and their names in Transitional.
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


class Relationship(NamedTuple):
    """What a part refers to by an id."""

    #: The last word of its type: "image", "header", "aFChunk".
    kind: str
    #: Name of a part, or an address if it is external.
    target: str
    external: bool


def check_archive(archive: zipfile.ZipFile, bounds: FileBounds) -> None:
    """Check a Word file's ZIP archive before it is converted.

    Only XML parts are unpacked, after the sizes of all parts were checked. Raises UnpacksTooLargeError,
    EncryptedDocumentError.
    """
    parts = archive.infolist()
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > bounds.max_unpacked_bytes:
        raise UnpacksTooLargeError(f"{len(parts)} parts")
    if any(part.flag_bits & 1 for part in parts):
        raise EncryptedDocumentError("an encrypted zip")
    for part in parts:
        if part.filename.endswith((".xml", ".rels")) and _declares_entities(archive.read(part)):
            # Word writes no document type; nested entities would expand without limit.
            raise UnpacksTooLargeError("an XML part with a document type")


def _declares_entities(xml: bytes) -> bool:
    return b"<!DOCTYPE" in xml or "<!DOCTYPE".encode("utf-16-le") in xml or "<!DOCTYPE".encode("utf-16-be") in xml


def main_parts(archive: zipfile.ZipFile) -> list[str]:
    """Return the names of a package's Word documents, the main one first; [] if it is not a Word file.

    Names do not matter: Word Online writes `word/document2.xml`. Without a readable list of content types, the
    document is `word/document.xml`. Parts are read up to their size in the directory.
    """
    names = set(archive.namelist())
    try:
        typed, by_suffix = _main_by_type(archive, names)
        opened = [
            relation.target
            for relation in relationships(archive, "").values()
            if relation.kind == "officeDocument" and relation.target in names
        ]
    except BROKEN_WORD:
        typed, by_suffix, opened = [], set(), []
    # By suffix alone every part with that suffix would count as a document.
    found = [name for name in opened if name in typed or name.rpartition(".")[2].lower() in by_suffix] + typed
    if not found and _USUAL_MAIN in names:
        found = [_USUAL_MAIN]
    return list(dict.fromkeys(found))


def _main_by_type(archive: zipfile.ZipFile, names: set[str]) -> tuple[list[str], set[str]]:
    """Return the parts that are Word documents, and the suffixes that mean one unless a part says otherwise."""
    typed, by_suffix = [], set()
    for element in parsed(archive.read(_TYPES)):
        if element.get("ContentType", "").strip().lower() in _MAIN_TYPES:
            typed.append(element.get("PartName", "").lstrip("/"))
            by_suffix.add(element.get("Extension", "").lower())
    return [name for name in typed if name in names], by_suffix - {""}


def relationships(archive: zipfile.ZipFile, part: str) -> dict[str, Relationship]:
    """Return the relationships of a part (of the package itself for ""), by id."""
    folder, name = posixpath.split(part)
    try:
        root = parsed(archive.read(posixpath.join(folder, "_rels", f"{name}.rels")))
    except KeyError:
        return {}
    found = {}
    for element in root:
        if not isinstance(element.tag, str) or "Id" not in element.attrib:
            continue
        external, target = element.get("TargetMode") == "External", element.get("Target", "")
        kind = element.get("Type", "").rsplit("/", 1)[-1]
        found[element.get("Id")] = Relationship(kind, target if external else _resolved(folder, target), external)
    return found


def _resolved(folder: str, target: str) -> str:
    """The name of the part that a relative reference points to (ECMA-376-2, 9.3.2)."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")


def parsed(xml: bytes) -> Any:
    """Return the root of an XML part, its namespaces those of Transitional. Raises SyntaxError, ValueError.

    Entities are not resolved, and nesting deeper than 256 elements is refused.
    """
    root = _root(xml)
    plain = etree.tostring(root) if not xml.isascii() else xml
    if b"http://purl.oclc.org/ooxml/" in plain:
        root = _root(_STRICT.sub(_TRANSITIONAL, plain))
    return root


def _root(xml: bytes) -> Any:
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(xml, parser)


class Package:
    """The parts of a checked archive: read as needed, changed, and written again."""

    def __init__(self, archive: zipfile.ZipFile, main: str) -> None:
        self._archive = archive
        self.main = main
        self._names = set(archive.namelist())
        self._trees: dict[str, Any] = {}
        self._relations: dict[str, dict[str, Relationship]] = {}
        self._added: dict[str, bytes] = {}

    def has(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """Return the bytes of a part. Raises KeyError if there is none."""
        return self._archive.read(name)

    def tree(self, name: str) -> Any:
        """The root of an XML part, which may be changed. Raises KeyError, SyntaxError."""
        if name not in self._trees:
            self._trees[name] = parsed(self.read(name))
        return self._trees[name]

    def relations(self, part: str) -> dict[str, Relationship]:
        if part not in self._relations:
            self._relations[part] = relationships(self._archive, part)
        return self._relations[part]

    def related(self, kind: str, part: str | None = None) -> list[str]:
        """Return the names of the existing parts of a kind that a part (by default the main one) refers to."""
        relations = self.relations(self.main if part is None else part).values()
        return [r.target for r in relations if r.kind == kind and not r.external and self.has(r.target)]

    def add_picture(self, part: str, data: bytes, suffix: str) -> str:
        """Add a picture that `part` refers to; returns the id."""
        name = f"word/media/shown{len(self._added) + 1}.{suffix}"
        self._added[name] = data
        key = f"shown{len(self._added)}"
        self.relations(part)[key] = Relationship("image", name, external=False)
        return key

    def written(self, parts: Iterable[str]) -> bytes:
        """Return a package of the main part, these parts and what they refer to, with the changes made."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("_rels/.rels", _written({"main": Relationship("officeDocument", self.main, False)}))
            archive.writestr(_TYPES, self.read(_TYPES) if self.has(_TYPES) else "<Types/>")
            done: set[str] = set()
            for part in (self.main, *parts):
                folder, name = posixpath.split(part)
                self._put(archive, part, done)
                archive.writestr(posixpath.join(folder, "_rels", f"{name}.rels"), _written(self.relations(part)))
                for relation in self.relations(part).values():
                    if relation.kind == "image" and not relation.external:
                        self._put(archive, relation.target, done)
        return out.getvalue()

    def _put(self, archive: zipfile.ZipFile, name: str, done: set[str]) -> None:
        if name in done:
            return
        done.add(name)
        if name in self._added:
            archive.writestr(name, self._added[name])
        elif name in self._trees:
            archive.writestr(name, etree.tostring(self._trees[name], encoding="utf-8", xml_declaration=True))
        elif self.has(name):
            archive.writestr(name, self.read(name))


def _written(relations: dict[str, Relationship]) -> bytes:
    root = etree.Element(f"{{{_RELATIONSHIPS}}}Relationships", nsmap={None: _RELATIONSHIPS})
    for key, relation in relations.items():
        element = etree.SubElement(root, f"{{{_RELATIONSHIPS}}}Relationship")
        element.set("Id", key)
        element.set("Type", _OFFICE + relation.kind)
        element.set("Target", relation.target if relation.external else f"/{relation.target}")
        if relation.external:
            element.set("TargetMode", "External")
    return bytes(etree.tostring(root))


# Names of elements and attributes of a Word file (ECMA-376-1, Transitional), and helpers for them.


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
    """Whether a property (an element of type CT_OnOff) is present and not off."""
    return element is not None and element.get(f"{W}val", "1").lower() not in _OFF


def value(element: Any, name: str) -> str:
    """The `w:val` of a child, "" without one."""
    child = element.find(f"{W}{name}") if element is not None else None
    return (child.get(f"{W}val") or "") if child is not None else ""


def number_in(text: str | None) -> float | None:
    """Parse the number in an attribute; None for anything else."""
    try:
        return float(text) if text else None
    except ValueError:
        return None


def run_of(text: str, properties: Any = None) -> Any:
    run = etree.Element(f"{W}r")
    if properties is not None:
        run.append(deepcopy(properties))
    node = etree.SubElement(run, f"{W}t")
    node.set(XML_SPACE, "preserve")
    node.text = text
    return run


def paragraph_of(text: str) -> Any:
    paragraph = etree.Element(f"{W}p")
    paragraph.append(run_of(text))
    return paragraph


def remove_element(element: Any) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def replace_element(element: Any, others: Any) -> None:
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    parent[at : at + 1] = list(others)


def element_text(element: Any) -> str:
    """The text of a paragraph or run: its letters, a space for each tab and line break."""
    return "".join(_pieces(element))


def _pieces(element: Any) -> Iterator[str]:
    for node in element.iter(f"{W}t", f"{W}tab", f"{W}br", f"{W}cr", f"{W}noBreakHyphen"):
        if node.tag == f"{W}t":
            yield node.text or ""
        elif node.getparent().tag != f"{W}tabs":
            yield "-" if node.tag == f"{W}noBreakHyphen" else " "


# Documents of other formats that a Word file includes (`altChunk`, ECMA-376-1, 17.17.2), as simple HTML.


#: Most chunks that are read; a file with more is not from a word processor.
MOST_CHUNKS = 50
_BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "blockquote", "pre"}
_KEPT = {*_BLOCKS, "br", "table", "tbody", "tr", "td", "th"}
#: Elements that a browser does not display or strikes through.
_NOT_SHOWN = ("head", "title", "script", "style", "template", "noscript", "object", "s", "strike", "del")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|line-through", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*+=\s*+(?:[\"']\s*+)?([\w-]+)", re.IGNORECASE)


def html_of(data: bytes, suffix: str) -> str | None:
    """Return a chunk as HTML; None for a format that is not read (RTF, anything unknown).

    Web pages, those saved with their pictures (MHT) and plain text are read.
    """
    begin = data[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if begin.startswith((b"{\\rtf", b"pk\x03\x04", b"\xd0\xcf\x11\xe0")):
        return None
    if suffix in ("mht", "mhtml") or begin.startswith((b"mime-version:", b"from:")):
        return _of_mail(data)
    if suffix in ("htm", "html", "xhtml", "xht") or re.match(rb"<(?:!doctype html|html|head|body|div|p)\b", begin):
        return _shown(_text(data))
    if (
        suffix in ("txt", "text", "md")
        and b"\0" not in data.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")[1::2]
    ):
        return "".join(f"<p>{escape(line)}</p>" for line in _text(data).splitlines() if line.strip())
    return None


def has_pictures(data: bytes) -> bool:
    """Whether a web page displays pictures, which are not read."""
    return re.search(rb"<img\b|<v:imagedata\b", data, re.IGNORECASE) is not None


def _of_mail(data: bytes) -> str | None:
    message = email.message_from_bytes(data, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            content = part.get_payload(decode=True)
            return _shown(_text(content, part.get_content_charset())) if isinstance(content, bytes) else None
    return None


def _text(data: bytes, charset: str | None = None) -> str:
    """Decode a web page or text by its byte order mark, its declaration, or else as UTF-8 or Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    said = _CHARSET.search(data[:2048])
    for name in (charset, said[1].decode("ascii") if said else None, "utf-8-sig"):
        try:
            return data.decode(name) if name else data.decode("utf-8-sig")
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("cp1252", "replace")


def _shown(page: str) -> str:
    """Return what a web page displays, without formatting."""
    # The parser refuses a declaration of encoding in decoded text.
    page = re.sub(r"^\s*<\?xml[^>]*\?>", "", page)
    if not page.strip():
        return ""
    root = html.document_fromstring(page)
    body = root.find("body")
    body = root if body is None else body
    for element in list(body.iter()):
        if not isinstance(element.tag, str) or _is_hidden(element):
            _drop(element)
    etree.strip_tags(
        body, *{node.tag for node in body.iter(etree.Element) if node.tag not in _KEPT and node is not body}
    )
    for element in body.iter(etree.Element):
        element.attrib.clear()
    body.tag = "div"
    return str(etree.tostring(body, encoding="unicode", method="html", with_tail=False))


def _is_hidden(element: Any) -> bool:
    return (
        element.tag in _NOT_SHOWN
        or "hidden" in element.attrib
        or _HIDDEN.search(element.get("style") or "") is not None
    )


def _drop(element: Any) -> None:
    if element.getparent() is not None:
        element.drop_tree()
