"""Every regular expression of the product, and for each the texts that it takes longest to search."""

from __future__ import annotations

import ast
import builtins
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.code import ROOT, id_of, sources, syntax_tree

LAYERS = ("core", "pipeline", "services", "research", "web", "jobs", "commands", "flask_app")
#: Functions of `re` whose first argument is a pattern.
_FUNCTIONS = frozenset({"compile", "sub", "subn", "match", "fullmatch", "search", "findall", "finditer", "split"})
#: Ways to use a pattern that try it at one place of the text only.
_AT_ONE_PLACE = frozenset({"match", "fullmatch"})
#: Repetitions of at most so many count as bounded.
_BOUND = 300
#: Operators that match one character.
_SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "CATEGORY"})
_PARSER: Any = re._parser  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Found:
    """A pattern, where it is written, and whether it is tried at every place of a text."""

    where: str
    pattern: re.Pattern[Any]
    everywhere: bool


class _Names(dict[str, Any]):
    """The names of a module; any other, such as a parameter, stands for a word of a person's."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, "word")


def all_patterns() -> list[Found]:
    """Return the patterns written in the product, each once, by the expression in its source.

    Parts of a pattern that are only known at run time are taken as the text "word".
    """
    found: dict[tuple[str, int, bool], Found] = {}
    methods = _methods()
    for path in sources(*LAYERS):
        if "re" not in {
            alias.name for node in _nodes(path) if isinstance(node, ast.Import) for alias in node.names
        }:
            continue
        for call, target in _calls(path):
            name = call.func.attr  # type: ignore[attr-defined]
            used = methods.get(target, {"search"}) if name == "compile" else {name}
            for pattern in _evaluated(path, call):
                one = Found(f"{id_of(path)}:{call.lineno}", pattern, not used <= _AT_ONE_PLACE)
                found.setdefault((pattern.pattern, pattern.flags, one.everywhere), one)
    return list(found.values())


def repeats_groups_possessively(pattern: re.Pattern[Any]) -> bool:
    """Whether a pattern has a possessive repetition of more than one character.

    Python 3.11.0 to 3.11.4 match such ones wrongly (python/cpython#106052): of "5, 6" the pattern `5(?:,\\d++)*+`
    takes the comma. An atomic group, here `5(?>(?:,\\d++)*)`, is right in all releases.
    """
    found = False
    waiting = [_tree(pattern)]
    while waiting and not found:
        for operator, given in waiting.pop():
            if str(operator) == "POSSESSIVE_REPEAT":
                body = given[2]
                found |= len(body) != 1 or str(body[0][0]) not in _SINGLE
            waiting += _inner(given)
    return found


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every part of a source."""
    return tuple(ast.walk(syntax_tree(path)))


@cache
def _loops(path: Path) -> list[tuple[ast.comprehension, frozenset[int]]]:
    """The first loop of each comprehension of a source, with all that is in the comprehension."""
    return [
        (node.generators[0], frozenset(map(id, ast.walk(node))))
        for node in _nodes(path)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp)
    ]


def _tree(pattern: re.Pattern[Any]) -> Any:
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    return _PARSER.parse(pattern.pattern, flags)


def _inner(given: Any) -> Iterator[Any]:
    """Yield the patterns within what an operator is given."""
    for part in given if isinstance(given, tuple | list) else [given]:
        if isinstance(part, _PARSER.SubPattern):
            yield part
        elif isinstance(part, tuple | list):
            yield from _inner(part)


def _calls(path: Path) -> Iterator[tuple[ast.Call, str]]:
    """Yield calls of `re` with the name that the pattern is given, if it is given one."""
    named = {
        id(inner): target.id
        for node in syntax_tree(path).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
        for inner in ast.walk(node.value)
    }
    for node in _nodes(path):
        function = node.func if isinstance(node, ast.Call) else None
        if (
            isinstance(node, ast.Call)
            and isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id == "re"
            and function.attr in _FUNCTIONS
        ):
            yield node, f"{id_of(path)}:{named.get(id(node), '')}"


def _methods() -> dict[str, set[str]]:
    """Return what is called on each named pattern; a name that is also handed on is left out."""
    called: defaultdict[str, set[str]] = defaultdict(set)
    for path in sources(*LAYERS):
        name, receivers = id_of(path), set()
        for node in _nodes(path):
            held = node.value if isinstance(node, ast.Attribute) else None
            held = held.value if isinstance(held, ast.Subscript) else held
            if isinstance(node, ast.Attribute) and isinstance(held, ast.Name):
                called[f"{name}:{held.id}"].add(node.attr)
                receivers.add(id(held))
        for node in _nodes(path):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in receivers:
                called[f"{name}:{node.id}"].add("search")
            elif isinstance(node, ast.ImportFrom) and node.module:
                origin = ROOT.joinpath(*node.module.split(".")).with_suffix(".py")
                for alias in node.names:
                    if origin.is_file():
                        called[f"{id_of(origin)}:{alias.name}"].add("search")
    return called


def _evaluated(path: Path, call: ast.Call) -> Iterator[re.Pattern[Any]]:
    """Compile the pattern of a call, for each value of the loop variables of a comprehension around it."""
    module = importlib.import_module(id_of(path).removesuffix(".py").replace("/__init__", "").replace("/", "."))
    flags = [one for one in (*call.args[1:], *(word.value for word in call.keywords)) if _is_flag(one)]
    for names in _surroundings(path, call, vars(module)):
        pattern = _value(call.args[0], names)
        if isinstance(pattern, re.Pattern):
            yield pattern
            continue
        yield re.compile(pattern, sum(_value(one, names) for one in flags))


def _is_flag(argument: ast.expr) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr.isupper() for node in ast.walk(argument))


def _surroundings(path: Path, call: ast.Call, known: dict[str, Any]) -> Iterator[_Names]:
    for loop, within in _loops(path):
        if id(call) in within:
            try:
                values = list(_value(loop.iter, _Names(known)))
            except (TypeError, AttributeError):
                values = []
            if isinstance(loop.target, ast.Name) and values:
                yield from (_Names({**known, loop.target.id: value}) for value in values)
                return
    yield _Names(known)


def _value(expression: ast.expr, names: _Names) -> Any:
    return eval(compile(ast.Expression(expression), "<pattern>", "eval"), names)


@dataclass(frozen=True)
class Worst:
    """A kind of text: what it begins with, what is repeated, and what it ends with."""

    lead: str
    piece: str
    tail: str

    def of(self, size: int) -> str:
        """Return the text with some `size` characters."""
        return self.lead + self.piece * (size // len(self.piece)) + self.tail


def worst_texts(pattern: re.Pattern[Any]) -> list[Worst]:
    """Return kinds of texts that make repetitions of a pattern begin or end in many places."""
    found: dict[Worst, None] = {}
    for before, bodies in _repetitions(list(_tree(pattern)), ""):
        for body in bodies:
            for piece, lead in ((body, ""), (body, before), (before + body, ""), (before + body * 20, "")):
                for tail in ("\x00", "\n\x00"):
                    if piece:
                        found[Worst(lead, piece, tail)] = None
    return list(found)


def _repetitions(nodes: list[Any], before: str) -> Iterator[tuple[str, list[str]]]:
    """Yield for each unbounded repetition what may stand before it, and pieces that it repeats."""
    for index, (kind, value) in enumerate(nodes):
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, body = value
            if most == _PARSER.MAXREPEAT or most > _BOUND:
                following = [_sample([node]) for node in nodes[index + 1 : index + 3]]
                yield before, [*_variants(list(body)), *(one for one in following if one)]
            yield from _repetitions(list(body), before)
            before += _sample(list(body)) * min(least, _BOUND)
        elif name == "SUBPATTERN":
            yield from _repetitions(list(value[-1]), before)
            before += _sample(list(value[-1]))
        elif name == "ATOMIC_GROUP":
            yield from _repetitions(list(value), before)
            before += _sample(list(value))
        elif name == "BRANCH":
            for branch in value[1]:
                yield from _repetitions(list(branch), before)
            before += _sample(list(value[1][0]))
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _repetitions(list(value[1]), before)
        else:
            before += _sample([(kind, value)])


#: One character of each class that a pattern can name, and some of those that it can exclude.
_OF_CATEGORY = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_SPACE": " ",
    "CATEGORY_WORD": "a",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_NOT_WORD": " ",
}
_ANY = "a A1.,\n-'<\"ñé_("


def _characters(value: list[Any]) -> str:
    """Return some characters of a set."""
    if value and str(value[0][0]) == "NEGATE":
        excluded = "".join(_of_item(item) for item in value[1:])
        categories = {str(item[1]) for item in value[1:] if str(item[0]) == "CATEGORY"}
        return "".join(char for char in _ANY if char not in excluded and not _is_in(char, categories)) or "~"
    return "".join(dict.fromkeys("".join(_of_item(item) for item in value)))


def _is_in(char: str, categories: set[str]) -> bool:
    return (
        ("CATEGORY_WORD" in categories and (char.isalnum() or char == "_"))
        or ("CATEGORY_NOT_WORD" in categories and not (char.isalnum() or char == "_"))
        or ("CATEGORY_DIGIT" in categories and char.isdigit())
        or ("CATEGORY_SPACE" in categories and char.isspace())
    )


def _of_item(item: tuple[Any, Any]) -> str:
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return chr(value)
    if kind == "RANGE":
        return chr(value[0])
    return _OF_CATEGORY.get(str(value), "a")


def _variants(nodes: list[Any]) -> list[str]:
    """Return some texts that a sequence matches: with each character of its first set, and each branch."""
    if len(nodes) == 1:
        kind, value = str(nodes[0][0]), nodes[0][1]
        if kind == "IN":
            return list(_characters(value)[:12])
        if kind == "ANY":
            return list("a \n(")
        if kind == "NOT_LITERAL":
            return [char for char in "a \n(" if ord(char) != value]
        if kind == "BRANCH":
            return [_sample(list(branch)) for branch in value[1][:6]]
        if kind == "SUBPATTERN":
            return _variants(list(value[-1]))
    return list(dict.fromkeys([_sample(nodes), *(_sample(nodes, variant) for variant in range(1, 4))]))


def _sample(nodes: list[Any], variant: int = 0) -> str:
    """Return one text that a sequence matches; lookarounds are not obeyed."""
    text = ""
    for kind, value in nodes:
        name = str(kind)
        if name == "LITERAL":
            text += chr(value)
        elif name == "NOT_LITERAL":
            text += "a" if value != ord("a") else "b"
        elif name == "ANY":
            text += "a"
        elif name == "IN":
            characters = _characters(value)
            text += characters[variant % len(characters)] if characters else ""
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            text += _sample(list(value[2]), variant) * max(value[0], 1 if variant else 0)
        elif name == "SUBPATTERN":
            text += _sample(list(value[-1]), variant)
        elif name == "ATOMIC_GROUP":
            text += _sample(list(value), variant)
        elif name == "BRANCH":
            text += _sample(list(value[1][variant % len(value[1])]), variant)
    return text
