"""An OpenAI-compatible embeddings endpoint: vectors by the words of a text, and all the ways to fail."""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable

from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response

KEY = "embeddings-key"


def vector_of(text: str, dimensions: int) -> list[float]:
    """The sum of a fixed vector for each word: texts that share words are near each other."""
    found = [0.001] * dimensions
    for word in re.findall(r"\w+", text.casefold()) or ["-"]:
        drawn = random.Random(hashlib.sha256(word.encode()).digest())
        found = [number + drawn.gauss(0, 1) for number in found]
    length = math.sqrt(sum(number * number for number in found))
    return [3 * number / length for number in found]


class EmbeddingsServer(LoopbackServer):
    """Answers what `answers` holds, one after the other, then as it should; `dimensions` overrules the request."""

    def __init__(self, dimensions: int | None = None) -> None:
        super().__init__()
        self.dimensions = dimensions
        self.answers: list[Callable[[Request], Response]] = []

    @property
    def texts(self) -> list[str]:
        """All texts that were sent."""
        return [text for request in self.requests for text in request.json()["input"]]

    def respond(self, request: Request) -> Response:
        if self.answers:
            return self.answers.pop(0)(request)
        if request.path != "/v1/embeddings" or request.headers.get("authorization") != f"Bearer {KEY}":
            return json_response({"error": {"message": "no"}}, 401)
        return self.right(request)

    def right(self, request: Request) -> Response:
        """The answer, in an order of its own: the index counts."""
        asked = request.json()
        rows = [
            {
                "object": "embedding",
                "index": index,
                "embedding": vector_of(text, self.dimensions or asked["dimensions"]),
            }
            for index, text in enumerate(asked["input"])
        ]
        return json_response({"object": "list", "data": rows[::-1], "model": asked["model"], "usage": {}})
