"""`docs/dependencies.md` names what the code imports, and the code imports what the page names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import files, packages_distributions
from importlib.util import find_spec
from pathlib import Path

from tests.test_structure import LAYERS, ROOT, imports, sources

#: Tools for developers; they may import what is installed for development alone.
TOOLS = ("lab", "scripts")
OWN = LAYERS.keys() | {"tests"}
#: What a reason says of a package that is needed and not imported.
UNUSED = "Not imported:"
_ROW = re.compile(r"^\| `([^`]+)` \| (.+) \|$", re.MULTILINE)


def plain(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def page() -> tuple[dict[str, str], dict[str, str]]:
    """The reasons by package: of the product, and of development or training alone."""
    product, _, development = (
        (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").partition("\n## For development alone")
    )
    return {plain(name): why for name, why in _ROW.findall(product)}, {
        plain(name): why for name, why in _ROW.findall(development)
    }


def pinned(requirements: str) -> set[str]:
    lines = (ROOT / requirements).read_text(encoding="utf-8").splitlines()
    return {plain(line.split("==")[0]) for line in lines if "==" in line}


#: Packages for training alone that are not called as their module.
TRAINING = {"sklearn": "scikit-learn"}


def distribution_of(module: str) -> str | None:
    """Whose module it is, None for our own and the standard library's. Some share a package, as langgraph's.

    A package that only training installs need not be there: it is called as its module, or is in `TRAINING`.
    """
    top = module.partition(".")[0]
    # `_typeshed` is of the type checker, and is only imported for it.
    if top in OWN or top in sys.stdlib_module_names or top == "_typeshed":
        return None
    owners = installed().get(top, [TRAINING.get(top, top)])
    if len(owners) == 1:
        return plain(owners[0])
    origin = origin_of(module)
    if origin is None:
        return None
    [owner] = [name for name in owners if origin in files_of(name)]
    return plain(owner)


def origin_of(module: str) -> str | None:
    """The file behind a name, which may be one that a module holds; None for a folder that several fill."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        return origin_of(module.rpartition(".")[0])
    return spec.origin


@cache
def installed() -> dict[str, list[str]]:
    return {top: sorted(set(names)) for top, names in packages_distributions().items()}


@cache
def files_of(distribution: str) -> frozenset[str]:
    return frozenset(str(file.locate()) for file in files(distribution) or ())


def imported_by(paths: Iterable[Path]) -> set[str]:
    modules = {module for path in paths for module in imports(path)}
    return {name for module in modules if (name := distribution_of(module))}


@cache
def by_the_product() -> set[str]:
    return imported_by(path for path in sources() if path.relative_to(ROOT).parts[0] not in TOOLS)


@cache
def by_tools_and_tests() -> set[str]:
    tools = [path for path in sources() if path.relative_to(ROOT).parts[0] in TOOLS]
    return imported_by([*tools, *(ROOT / "tests").rglob("*.py")])


def test_what_the_product_imports_is_named_with_a_reason() -> None:
    product, _ = page()
    assert by_the_product() - product.keys() == set()


def test_what_tools_and_tests_import_is_named_with_a_reason() -> None:
    product, development = page()
    assert by_tools_and_tests() - product.keys() - development.keys() == set()


def test_what_is_named_is_imported_or_its_reason_says_why_not() -> None:
    for named, imported in zip(page(), (by_the_product(), by_tools_and_tests()), strict=True):
        assert named
        assert {name for name, why in named.items() if (name in imported) is (UNUSED in why)} == set()


def test_what_is_named_is_pinned() -> None:
    product, development = page()
    assert product.keys() - pinned("requirements.txt") == set()
    pins = pinned("requirements.txt") | pinned("requirements-dev.txt") | pinned("requirements-train.txt")
    assert development.keys() - pins == set()


def test_no_package_is_named_twice() -> None:
    product, development = page()
    rows = _ROW.findall((ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"))
    assert len(rows) == len(product) + len(development) and not product.keys() & development.keys()


def test_a_package_of_several_distributions_is_told_apart() -> None:
    assert distribution_of("langgraph.graph") == "langgraph"
    assert distribution_of("langgraph.checkpoint.base") == "langgraph-checkpoint"
    assert distribution_of("langgraph.checkpoint.postgres") == "langgraph-checkpoint-postgres"
