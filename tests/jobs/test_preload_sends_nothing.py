"""What a worker loads tells nobody: no host name is looked up, nothing is connected to or written at home."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from core.config import ROOT

#: Loads all that reading and research load, in a process of its own; tells of each way to another machine, in its
#: forks too: a package may catch what is raised in one. What is loaded waits for its threads when it ends.
_LOAD = """
import ipaddress, os, sys

def is_here(address):
    if isinstance(address, (str, bytes)):
        return True  # a Unix socket
    try:
        return ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        return address[0] == "localhost"

def hook(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        away = not is_here(arguments)
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        away = arguments[1] is not None and not is_here(arguments[1])
    else:
        away = False
    if away:
        os.write(1, f"{event} {arguments[-1] if event == 'socket.connect' else arguments[0]!r}\\n".encode())

sys.addaudithook(hook)

from core.config import load_settings
from core.llm.embeddings import LocalEmbedder, is_installed
from core.llm.providers import open_deep_model, open_model
from jobs.worker import preload_jobs

for key in ("groq_api_key", "anthropic_api_key"):
    settings = load_settings(_env_file=None, **{key: "not a key"})
    open_model(settings), open_deep_model(settings)
preload_jobs(load_settings(_env_file=None))
if is_installed():
    LocalEmbedder(1).texts(["Fathers read aloud."])
os.write(1, b"loaded\\n")
"""


def test_what_a_worker_loads_tells_nobody(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    # Without what tells a package that it is tried: it would be silent then.
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "VAR_DIR": str(tmp_path / "var")}
    done = subprocess.run(
        [sys.executable, "-c", _LOAD],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "loaded\n"
    assert [path.relative_to(home) for path in home.rglob("*")] == []
