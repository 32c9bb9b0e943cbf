"""The units of deployment: what they name exists, and the compose file is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import click
import jsonschema_rs
import pytest
import yaml

from core.config import Settings, load_settings
from flask_app import create_app
from lab.fleet.compose import DEPLOY, Service, image_environment, services
from tests.support.code import ROOT
from tests.test_documented_commands import problem
from tests.test_structure import LAYERS

#: Variables of the images that are read by others than our settings.
NOT_OURS = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
PROGRAM = [one for one in services().values() if one.is_program]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> click.Group:
    return create_app(Settings(var_dir=tmp_path_factory.mktemp("var"), _env_file=None)).cli


def why_no_command(commands: click.Group, words: list[str]) -> str | None:
    """What is wrong with a command of ours, None if nothing is."""
    if words[:2] == ["python", "-m"]:
        return None if find_spec(words[2]) else f"no module {words[2]}"
    return problem(commands, words[1:]) if Path(words[0]).name == "flask" else f"{words[0]} is none of ours"


def test_the_compose_file_follows_the_specification() -> None:
    """The schema is the one that `check-jsonschema` 0.39.0 carries; its licence lies beside it."""
    schema = json.loads((ROOT / "tests/data/compose/compose-spec.json").read_text(encoding="utf-8"))
    content = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    validator = jsonschema_rs.validator_for(schema)
    assert [error.message for error in validator.iter_errors(content)] == []
    content["services"]["web-1"]["command"] = 5
    assert not validator.is_valid(content)


def test_there_are_two_of_each_and_what_they_need() -> None:
    assert set(services()) == {
        *("proxy", "web-1", "web-2", "worker-1", "worker-2", "upgrade", "pooler", "database", "queue")
    }


@pytest.mark.parametrize("service", PROGRAM, ids=lambda one: one.name)
def test_a_service_of_the_program(service: Service, commands: click.Group) -> None:
    ours = {name.upper() for name in Settings.model_fields}
    assert why_no_command(commands, list(service.command)) is None
    assert set(service.environment) - NOT_OURS <= ours
    assert {name.upper() for name in service.secrets} <= ours
    assert service.read_only and service.user != 0


def test_commands_of_image_checks_and_procfile(commands: click.Group) -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    content = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    checks = [content["services"][name]["healthcheck"]["test"][1:] for name in ("worker-1", "worker-2")]
    listed = [json.loads(found) for found in re.findall(r"CMD (\[.*\])", dockerfile)]
    processes = [line.split(": ")[1].split() for line in (DEPLOY / "Procfile").read_text().splitlines()]
    found = [*checks, *(words for words in listed if words[0] != "pgbouncer"), *processes]
    assert len(found) == 7
    assert [why for words in found if (why := why_no_command(commands, words))] == []
    assert set(image_environment()) - NOT_OURS <= {name.upper() for name in Settings.model_fields}


def test_secrets_are_made_and_make_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = tmp_path / "made"
    subprocess.run(["sh", DEPLOY / "secrets.sh", made], check=True)
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    content = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert {given["file"] for given in content["secrets"].values()} <= {f"secrets/{name}" for name in before}
    for service in PROGRAM:
        handed = tmp_path / service.name
        handed.mkdir()
        for name, source in service.secrets.items():
            shutil.copyfile(made / source, handed / name)
        monkeypatch.setenv("SECRETS_DIR", str(handed))
        assert str(load_settings(_env_file=None, database_transaction_pooler=True).database_url).startswith(
            "postgresql://second_reader:"
        )
    subprocess.run(["sh", DEPLOY / "secrets.sh", made], check=True)
    assert {path.name: path.read_bytes() for path in made.iterdir()} == before


def test_files_that_are_handed_in_exist() -> None:
    named = [name for service in services().values() for name in service.files.values()]
    assert len(named) == 4
    assert [name for name in named if not (DEPLOY / name).is_file()] == []


def test_the_image_has_every_part_of_the_program() -> None:
    steps = (DEPLOY / "install.sh").read_text(encoding="utf-8")
    copied = re.search(r"for part in (.*?); do", steps, re.DOTALL)
    assert copied is not None
    parts = copied[1].replace("\\\n", " ").split()
    program = {name if (ROOT / name).is_dir() else f"{name}.py" for name in LAYERS.keys() - {"lab"}}
    assert program <= set(parts)
    assert [part for part in parts if not (ROOT / part).exists()] == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_a_unit_of_systemd(unit: Path, commands: click.Group) -> None:
    text = unit.read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert started is not None and why_no_command(commands, started[1].split()) is None
    ours = {name.upper() for name in Settings.model_fields} | NOT_OURS
    set_here = " ".join(re.findall(r"^Environment=(.*)$", text, re.MULTILINE))
    assert set(re.findall(r"(\w+)=", set_here)) <= ours
    assert {name.upper() for name in re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE)} <= ours
    if shutil.which("systemd-analyze"):
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
        assert [line for line in done.stderr.splitlines() if "is not executable: No such file" not in line] == []


@pytest.mark.parametrize("script", [*DEPLOY.glob("*.sh"), ROOT / "lab/fleet/boot.sh"], ids=lambda path: path.name)
def test_a_script_can_be_read_by_sh(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True)
