"""Call a function in a new process, so that earlier measurements do not affect it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent


def fresh(function: str, *arguments: Any, settings: Mapping[str, str] | None = None) -> Any:
    """Return the result of `module:function` for these arguments; both must be JSON.

    `settings` are environment variables of that process alone.
    Raises RuntimeError if the process fails.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        answer = Path(folder) / "answer.json"
        python = ["env", *(f"{name}={value}" for name, value in (settings or {}).items()), sys.executable]
        command = [*python, "-m", "lab.bench.fresh", function, json.dumps(arguments), str(answer)]
        done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)
        if done.returncode:
            raise RuntimeError(f"{function} ended with {done.returncode}")
        return json.loads(answer.read_text(encoding="utf-8"))


def main() -> None:
    """Run the function in the new process."""
    function, arguments, answer = sys.argv[1:]
    module, _, name = function.partition(":")
    result = getattr(import_module(module), name)(*json.loads(arguments))
    Path(answer).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
