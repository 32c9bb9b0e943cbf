"""The units of deployment: what they name exists, and the compose file is one."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
import time
from contextlib import closing, suppress
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
from web.errors import _HTTP

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


@pytest.mark.skipif(shutil.which("nginx") is None, reason="there is no nginx")
def test_the_proxy_says_what_the_program_would(tmp_path: Path) -> None:
    """What is too large for the program is refused before it is read, with the program's own sentence."""
    settings = Settings(_env_file=None)
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    ports = [_free_port(), _free_port()]
    for there, here in (
        ("web-1", "127.0.0.1"),
        ("web-2", "127.0.0.1"),
        ("listen 8080", f"listen 127.0.0.1:{ports[0]}"),
        ("listen 8443 ssl", f"listen 127.0.0.1:{ports[1]}"),
        ("/tmp/", f"{tmp_path}/"),
    ):
        text = text.replace(there, here)
    conf = tmp_path / "nginx.conf"
    conf.write_text(re.sub(r"\s*ssl_certificate.*", "", text), encoding="utf-8")
    with subprocess.Popen(["nginx", "-c", conf, "-g", "daemon off;"], stderr=subprocess.PIPE) as nginx:
        try:
            answers = [_answer_to(ports[1], settings.max_request_bytes + more) for more in (0, 1)]
        finally:
            nginx.terminate()
    assert answers == [(0, ""), (413, str(_HTTP[413][1]))]


def _answer_to(port: int, length: int) -> tuple[int, str]:
    """Status and text of the answer to a request, of which the head alone is sent; 0: its body is waited for."""
    for _ in range(100):
        with suppress(ConnectionRefusedError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
            connection.connect()
            break
        time.sleep(0.05)
    with closing(connection):
        connection.putrequest("POST", "/upload")
        connection.putheader("Content-Length", str(length))
        connection.endheaders()
        try:
            answer = connection.getresponse()
        except TimeoutError:
            return 0, ""
        return answer.status, answer.read().decode()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.parametrize("script", [*DEPLOY.glob("*.sh"), ROOT / "lab/fleet/boot.sh"], ids=lambda path: path.name)
def test_a_script_can_be_read_by_sh(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True)
