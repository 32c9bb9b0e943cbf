"""Have somebody write down what stands on the headers that the second reader is shown.

    .venv/bin/python lab/record_headers.py --folder FOLDER
    .venv/bin/python lab/record_headers.py --folder FOLDER --take NAME

The first reads the corpus, and writes every picture that has no reply yet as FOLDER/HEADER.jpg and, three at a
time, on sheets FOLDER/sheet-NN.png with the fields that are asked. Whoever looks at them writes
FOLDER/replies.json, {header: {field: text}}, by the rules of the prompt, which stands in FOLDER/prompt.txt, having
seen nothing else. The second takes those into the transcription NAME ("first" is the one that is played). With
`--same` pictures that have changed keep what was written down of their header, once the sheets have shown that
they say the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image, ImageDraw, ImageFont

from lab.bench.reading.corpora import HEADERS, corpus_of
from lab.bench.reading.second_reader import Reader, camp_form
from lab.cassettes.headers import FOLDER, HeaderPlayer, transcription
from pipeline.second_reader.question import HEADER_SYSTEM
from scripts.regression.files import entry_files
from scripts.regression.vision import Recording

_ON_A_SHEET, _MARGIN = 3, 44


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line; write sheets, or take in what was written down."""
    parser = argparse.ArgumentParser(description="Have somebody write down what headers say.")
    parser.add_argument("--folder", type=Path, required=True, help="where pictures wait, and replies stand")
    parser.add_argument("--take", metavar="NAME", help="take the replies into this transcription")
    parser.add_argument("--same", action="store_true", help="keep what was said of headers whose picture changed")
    options = parser.parse_args(arguments)
    if options.take is None:
        show(options.folder)
    else:
        path = FOLDER / f"{options.take}.json"
        kept = taken_in(options.folder, transcription(path), same=options.same)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"{json.dumps(key)}: {json.dumps(one, ensure_ascii=False)}" for key, one in kept.items())
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


def show(folder: Path) -> None:
    """Write the pictures that have no reply, and the sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = corpus_of(HEADERS, reuse=True)
    with HeaderPlayer(transcription(), wanted=folder) as player:
        Reader(corpus, camp_form(), player.openai_url).scores(entry_files(corpus))
    (folder / "prompt.txt").write_text(HEADER_SYSTEM, encoding="utf-8")
    wanted = _wanted(folder)
    for number, start in enumerate(range(0, len(wanted), _ON_A_SHEET), 1):
        _sheet(folder, wanted[start : start + _ON_A_SHEET]).save(folder / f"sheet-{number:02d}.png")
    print(f"{len(wanted)} pictures wait for replies in {folder}", file=sys.stderr)


def taken_in(folder: Path, before: Recording, *, same: bool = False) -> Recording:
    """Return a transcription with the replies of a folder; older ones of the same headers go."""
    path = folder / "replies.json"
    replies = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    of_file = {one["file"]: one["said"] for one in before.values()} if same else {}
    found = dict(before)
    for one in _wanted(folder):
        said = replies.get(Path(one["file"]).stem, of_file.get(one["file"]))
        if said is None:
            continue
        if unknown := set(said) - set(one["fields"]):
            raise ValueError(f"{one['file']}: not asked for {', '.join(sorted(unknown))}")
        found = {key: kept for key, kept in found.items() if kept["file"] != one["file"]}
        found[one["key"]] = {"file": one["file"], "said": {name: said.get(name, "") for name in one["fields"]}}
    return dict(sorted(found.items(), key=lambda item: str(item[1]["file"])))


def _wanted(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("header-*.json"))]


def _sheet(folder: Path, wanted: Sequence[dict[str, Any]]) -> Image.Image:
    """Pictures below each other, each under its header's number and the fields asked."""
    pictures = [Image.open((folder / one["file"]).with_suffix(".jpg")) for one in wanted]
    size = (max(p.width for p in pictures), sum(p.height + _MARGIN for p in pictures))
    sheet, y = Image.new("L", size, 255), 0
    painter, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    for one, picture in zip(wanted, pictures, strict=True):
        painter.text((6, y + 2), f"{Path(one['file']).stem}", fill=0, font=font)
        painter.text((6, y + 21), ", ".join(one["fields"]), fill=0, font=font)
        sheet.paste(picture, (0, y + _MARGIN))
        y += picture.height + _MARGIN
    return sheet


if __name__ == "__main__":
    sys.exit(main())
