"""The services of `deploy/compose.yaml`, as far as a container engine would need them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

DEPLOY = Path(__file__).resolve().parent.parent.parent / "deploy"
#: Users of images that name none in the file: any will do that is nobody in particular.
_NOBODY = 65534
_INSTRUCTION = re.compile(r"^ENV ((?:.*\\\n)*.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Service:
    """What a container is made of."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    #: The file of `deploy/secrets` by its name in /run/secrets.
    secrets: Mapping[str, str]
    #: Files of `deploy/`, and names of volumes, by their place.
    files: Mapping[str, str]
    volumes: Mapping[str, str]
    user: int
    #: Whether nothing but volumes and /tmp can be written.
    read_only: bool
    #: Whether it is the image of the program.
    is_program: bool


def services(path: Path = DEPLOY / "compose.yaml") -> dict[str, Service]:
    """Return each service by its name."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: _service(name, given) for name, given in content["services"].items()}


def image_environment(dockerfile: Path = DEPLOY / "Dockerfile") -> dict[str, str]:
    """Return the variables that the image of the program sets."""
    found = _INSTRUCTION.search(dockerfile.read_text(encoding="utf-8"))
    assert found is not None
    return dict(pair.split("=", 1) for pair in found[1].replace("\\\n", " ").split())


def _service(name: str, given: Mapping[str, Any]) -> Service:
    mounts = [str(mount).split(":") for mount in given.get("volumes", ())]
    is_program = given["image"] == "second-reader"
    return Service(
        name,
        [str(word) for word in given["command"]],
        {
            **(image_environment() if is_program else {}),
            **{key: str(value) for key, value in given.get("environment", {}).items()},
        },
        dict(_secret(one) for one in given.get("secrets", ())),
        {mount[1]: mount[0].removeprefix("./") for mount in mounts if mount[0].startswith(".")},
        {mount[1]: mount[0] for mount in mounts if not mount[0].startswith(".")},
        int(str(given.get("user", _NOBODY)).split(":")[0]),
        bool(given.get("read_only", False)),
        is_program,
    )


def _secret(given: str | Mapping[str, str]) -> tuple[str, str]:
    if isinstance(given, str):
        return given, given
    return given["target"], given["source"]
