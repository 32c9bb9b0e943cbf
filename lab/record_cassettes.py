"""Record what a model replies, written by people who see nothing but the requests.

    .venv/bin/python lab/record_cassettes.py --only NAME[,NAME…] --folder FOLDER [--wait SECONDS]

Each work is done with the replies that its cassette has. The requests that it lacks are written as
FOLDER/NAME/NNNN.request.json, all of a stage at once; whoever answers writes the reply, one JSON object, into
NNNN.reply.txt beside it, having read nothing but "messages". With --wait the work goes on as soon as all of a
stage are answered; without it, run the script again. Replies that no request used are removed in the end.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.cassettes.works import WORKS
from tests.support.cassettes import Cassette, cassette, key_of
from tests.support.servers.cassette_player import CassettePlayer

_PAUSE = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line; return 1 while requests wait for their replies."""
    parser = argparse.ArgumentParser(description="Record what a model replies.")
    parser.add_argument("--only", help=f"some of {', '.join(WORKS)}, separated by commas")
    parser.add_argument("--folder", type=Path, required=True, help="where requests wait for replies")
    parser.add_argument("--wait", type=float, default=0, help="seconds to wait for the replies of a stage")
    options = parser.parse_args(arguments)
    names = options.only.split(",") if options.only else list(WORKS)
    if unknown := set(names) - set(WORKS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(WORKS)}")
    return max(record(name, options.folder / name, options.wait) for name in names)


def record(name: str, folder: Path, wait: float) -> int:
    """Do a work until every request is answered; return 1 if some wait longer than `wait` seconds."""
    kept = cassette(name)
    with CassettePlayer(kept, folder) as player, WORKS[name](player) as once:
        while True:
            take_in(folder, kept)
            player.missed.clear()
            player.played.clear()
            once()
            if not player.missed:
                break
            print(f"{name}: {len(player.missed)} requests wait for replies in {folder}", file=sys.stderr)
            if not _answered(folder, wait):
                return 1
        for key in kept.keys - player.played:
            kept.drop(key)
    print(f"{name}: {len(kept.keys)} pairs, none is missing", file=sys.stderr)
    return 0


def take_in(folder: Path, kept: Cassette) -> None:
    """Add to the cassette every request of the folder that has a reply."""
    for path in sorted(folder.glob("[0-9]*.request.json")):
        reply = _reply_of(path)
        messages = json.loads(path.read_text(encoding="utf-8"))["messages"]
        if reply.is_file() and kept.reply(key_of(messages)) is None:
            kept.keep(messages, reply.read_text(encoding="utf-8"))


def _answered(folder: Path, wait: float) -> bool:
    """Wait until every request of the folder has a reply."""
    until = time.monotonic() + wait
    while any(not _reply_of(path).is_file() for path in folder.glob("[0-9]*.request.json")):
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    time.sleep(_PAUSE)
    return True


def _reply_of(request: Path) -> Path:
    return request.with_name(f"{request.name.partition('.')[0]}.reply.txt")


if __name__ == "__main__":
    sys.exit(main())
