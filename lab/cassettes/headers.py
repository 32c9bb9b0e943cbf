"""A played vision model: it answers for pictures of headers from what somebody has written down of them.

A transcription is a file of `tests/data/cassettes/headers`: for each picture the text of each field, as written by
one who saw the picture and the prompt and nothing else ("?" what cannot be read, "" what is empty). A picture
is known by its bytes and the fields asked; one that has changed is missing until it is looked at again.
"""

from __future__ import annotations

import base64
import io
import json
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from core.config import Settings, load_settings
from core.plain_data import token_count
from lab.cassettes.header_replies import BEHAVIOURS, Asked
from scripts.regression.vision import Recording, key_of
from tests.support.cassettes import CASSETTES
from tests.support.servers.groq_server import GroqServer, picture_urls, refusal
from tests.support.servers.loopback import Response

FOLDER = CASSETTES / "headers"
#: The transcription that is played.
FIRST = FOLDER / "first.json"


def transcription(path: Path = FIRST) -> Recording:
    """Return a transcription: by the key of the picture the `file` that it is of, and what is `said` by field."""
    found: Recording = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def transcriptions() -> list[Recording]:
    """All transcriptions, each by somebody else; the one that is played is among them."""
    return [transcription(path) for path in sorted(FOLDER.glob("*.json"))]


@dataclass(frozen=True)
class Sent:
    """One request as it came in."""

    file: str
    picture: bytes
    tokens: int


def player_settings(address: str, behaviour: str, file: str, **more: Any) -> Settings:
    """Settings of a process whose second reader is the player at an address, behaving so, asked about a file."""
    return load_settings(
        _env_file=None,
        vision_model=f"{behaviour}/{file}",
        vision_base_url=address,
        vision_api_key=HeaderPlayer.key,
        **more,
    )


@dataclass(eq=False)
class HeaderPlayer(GroqServer):
    """A vision model in OpenAI's wire format. The model's name says how it behaves and for which file it is asked.

    With a folder `wanted`, pictures without a reply are written there, for whoever looks at them.
    """

    said: Recording
    #: What the recogniser read of each file, for a liar who makes its mistakes.
    first: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    wanted: Path | None = None
    #: Requests by behaviour.
    sent: dict[str, list[Sent]] = field(default_factory=lambda: defaultdict(list))
    #: Files whose picture has no reply.
    missed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(otherwise=self._answer)
        self._order = {key: number for number, key in enumerate(self.said)}

    def _answer(self, body: dict[str, Any]) -> Response:
        # The pictures of a whole corpus are not kept.
        self.requests.clear()
        behaviour, _, file = body["model"].partition("/")
        [url] = picture_urls(body["messages"])
        picture = base64.b64decode(url.partition(";base64,")[2])
        question = next(part["text"] for part in body["messages"][1]["content"] if part["type"] == "text")
        fields: dict[str, Any] = json.loads(question)["fields"]
        texts = [body["messages"][0]["content"], question, *(str(one["content"]) for one in body["messages"][2:])]
        tokens = sum(map(token_count, texts)) + picture_tokens(Image.open(io.BytesIO(picture)).size)
        self.sent[behaviour].append(Sent(file, picture, tokens))
        key = key_of(picture, list(fields))
        if key not in self.said:
            self.missed.add(file)
            if self.wanted is not None:
                self._want(file, key, picture, fields)
            return refusal(404, "no reply was recorded for this picture", "not_recorded")
        asked = Asked(
            number=self._order[key],
            file=file,
            fields=fields,
            said=self.said[key]["said"],
            neighbour=self._neighbour(key),
            first=self.first.get(file, {}),
            is_repair=len(body["messages"]) > 2,
        )
        reply = BEHAVIOURS[behaviour](asked)
        return reply if isinstance(reply, Response) else reply(body)

    def _neighbour(self, key: str) -> Mapping[str, str]:
        """What is written on the next picture."""
        keys = list(self.said)
        said: Mapping[str, str] = self.said[keys[(self._order[key] + 1) % len(keys)]]["said"]
        return said

    def _want(self, file: str, key: str, picture: bytes, fields: Mapping[str, Any]) -> None:
        assert self.wanted is not None
        self.wanted.mkdir(parents=True, exist_ok=True)
        stem = Path(file).stem
        (self.wanted / f"{stem}.jpg").write_bytes(picture)
        told = {"key": key, "file": file, "fields": fields}
        (self.wanted / f"{stem}.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")


def picture_tokens(size: tuple[int, int]) -> int:
    """Return the tokens of a picture as OpenAI counts them: 85, and 170 for each tile of 512 pixels.

    The picture is first made to fit 2048 × 2048, then its shorter side 768.
    https://platform.openai.com/docs/guides/images-vision
    """
    scale = min(1.0, 2048 / max(size), 768 / min(size))
    tiles = math.prod(math.ceil(side * scale / 512) for side in size)
    return 85 + 170 * tiles
