"""What the styles of a Word file make of a run: whether its letters are displayed (ECMA-376-1, 17.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeline.files.word.names import W, is_on, number, value

#: Deepest chain of styles that are based on one another; a file may close it to a circle.
_CHAIN = 20
#: Name of the style of prompts, in every language that Word speaks.
_PLACEHOLDER = ("placeholder text", "placeholdertext")
#: Half-points up to which letters are too small to be seen.
_SPECK = 2
#: Colours of the theme that are white in every theme of Word's but the dark ones.
_WHITE_THEME = ("background1", "light1", "bg1", "lt1")
#: What a shading or highlight says that gives no ground of its own.
_NO_GROUND = ("", "auto", "ffffff", "none", "white", "nil")
_STRUCK = ("strike", "dstrike")


@dataclass(slots=True)
class _Style:
    based_on: str
    name: str
    element: Any

    @property
    def properties(self) -> Any:
        """What it says of letters; None for nothing."""
        return self.element.find(f"{W}rPr")

    @property
    def paragraph(self) -> Any:
        """What it says of paragraphs; None for nothing."""
        return self.element.find(f"{W}pPr")


@dataclass(slots=True)
class Styles:
    """The styles of a document, by id."""

    _by_id: dict[str, _Style] = field(default_factory=dict)
    _defaults: dict[str, str] = field(default_factory=dict)
    _document: Any = None
    _chain_of: dict[str, list[_Style]] = field(default_factory=dict)
    #: Whether pages have a colour of their own, so that white letters are seen.
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
                # The first of an id holds (17.7.4.17).
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
        """Whether a person reads the letters of a run that is not hidden: not struck through, white or a speck."""
        properties = run.find(f"{W}rPr")
        paragraph = next(run.iterancestors(f"{W}p"), None)
        chains = self._chains(properties, paragraph)
        if any(self._toggled(name, properties, chains) for name in _STRUCK):
            return False
        size = number(_nearest("sz", properties, chains, self._document))
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
        """The styles of a run, nearest first: those of letters, then those of the paragraph."""
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
        """A toggle property (17.7.3): as the run says, else on where one of its two styles says so."""
        own = properties.find(f"{W}{name}") if properties is not None else None
        if own is not None:
            return is_on(own)
        if self._document is not None and is_on(self._document.find(f"{W}{name}")):
            return True
        return sum(next(_said(name, chain), False) for chain in chains) == 1

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
        """Whether a cell, table or shape may have a colour; what a shape is filled with is not looked up."""
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


def _said(name: str, chain: list[_Style]) -> Iterator[bool]:
    for style in chain:
        own = style.properties.find(f"{W}{name}") if style.properties is not None else None
        if own is not None:
            yield is_on(own)


def _nearest(name: str, properties: Any, chains: list[list[_Style]], document: Any) -> str:
    for owner in (properties, *(style.properties for chain in chains for style in chain), document):
        if said := value(owner, name):
            return said
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
