"""Google Cloud Vision's `images:annotate` on this machine, strict about what it is sent.

Shapes from https://cloud.google.com/vision/docs/reference/rest/v1/images/annotate, errors of a whole request from
https://cloud.google.com/apis/design/errors. What is zero is left out of answers, as Google does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response
from tests.support.servers.sent_pictures import decoded

MOST_BYTES = 10 * 1024 * 1024
_REQUEST_KEYS = frozenset({"image", "features", "imageContext"})
_FEATURE_KEYS = frozenset({"type", "maxResults", "model"})
_CONTEXT_KEYS = frozenset(
    {"latLongRect", "languageHints", "cropHintsParams", "webDetectionParams", "textDetectionParams"}
)
_MODELS = frozenset({"builtin/stable", "builtin/latest"})
_MARKS = ".,;:!?()\"'"

Corners = Sequence[tuple[float, float]]
Behaviour = Response | Callable[[Image.Image], dict[str, Any]]


@dataclass(frozen=True)
class Written:
    """A word on a picture: corners in pixels, clockwise from where its text begins; how sure, and what follows."""

    text: str
    corners: Corners
    confidence: float = 0.98
    #: SPACE, LINE_BREAK, … as Google names them.
    follows: str = "SPACE"


def upright(x0: float, y0: float, x1: float, y1: float) -> Corners:
    """The corners of a word that stands upright."""
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def annotation(words: Sequence[Written], size: tuple[int, int]) -> dict[str, Any]:
    """The answer for a picture with these words, all in one paragraph."""
    if not words:
        return {}
    pieces = [piece for word in words for piece in _pieces(word)]
    page = {
        "width": size[0],
        "height": size[1],
        "blocks": [{"blockType": "TEXT", "paragraphs": [{"words": pieces, "confidence": 0.97}]}],
        "confidence": 0.97,
    }
    text = "".join(word.text + ("\n" if word.follows == "LINE_BREAK" else " ") for word in words)
    whole = {"locale": "en", "description": text, "boundingPoly": _polygon(upright(0, 0, *size))}
    return {"textAnnotations": [whole], "fullTextAnnotation": {"pages": [page], "text": text}}


def failed(code: int, message: str) -> dict[str, Any]:
    """The answer for a picture that could not be read, in an answer of status 200."""
    return {"error": {"code": code, "message": message}}


def refusal(status: int, name: str, message: str, headers: dict[str, str] | None = None) -> Response:
    """An error of the whole request."""
    return json_response({"error": {"code": status, "message": message, "status": name}}, status, headers)


class VisionServer(LoopbackServer):
    """Plays `script` in order, one behaviour a valid request; then `otherwise` for ever."""

    key = "AIza_loopback_key_0000"

    def __init__(self, *script: Behaviour, otherwise: Behaviour | None = None) -> None:
        super().__init__()
        self.script = list(script)
        self.otherwise = otherwise or refusal(500, "INTERNAL", "the script of this test has ended")
        #: Why requests were refused by the server itself; a test that expects none asserts that it is empty.
        self.faults: list[str] = []

    def respond(self, request: Request) -> Response:
        if fault := _fault(request, self.key):
            self.faults.append(fault.body.decode())
            return fault
        behaviour = self.script.pop(0) if self.script else self.otherwise
        if isinstance(behaviour, Response):
            return behaviour
        picture = decoded(request.json()["requests"][0]["image"]["content"])
        assert picture is not None
        return json_response({"responses": [behaviour(picture)]})


def _fault(request: Request, key: str) -> Response | None:
    path, _, query = request.path.partition("?")
    if request.method != "POST" or path != "/v1/images:annotate":
        return refusal(404, "NOT_FOUND", f"{request.method} {path} was not found")
    if key in query:
        return refusal(400, "INVALID_ARGUMENT", "this office sends its key in a header, never in an address")
    if request.headers.get("x-goog-api-key") != key:
        return refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        return refusal(400, "INVALID_ARGUMENT", "Content-Type must be application/json")
    if len(request.body) > MOST_BYTES:
        return refusal(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 10485760 bytes.")
    try:
        problem = _body_fault(request.json())
    except ValueError:
        problem = "Invalid JSON payload received."
    return refusal(400, "INVALID_ARGUMENT", problem) if problem else None


def _body_fault(body: Any) -> str | None:
    if not isinstance(body, dict) or set(body) != {"requests"}:
        return "Invalid JSON payload received. Unknown name."
    requests = body["requests"]
    if not isinstance(requests, list) or len(requests) != 1:
        return "this server takes one picture a request"
    asked = requests[0]
    if not isinstance(asked, dict) or not {"image", "features"} <= set(asked) <= _REQUEST_KEYS:
        return "Invalid value at 'requests[0]'"
    if set(asked["image"]) != {"content"} or decoded(asked["image"]["content"]) is None:
        return "Invalid value at 'requests[0].image.content' (TYPE_BYTES)"
    return _features_fault(asked["features"]) or _context_fault(asked.get("imageContext", {}))


def _features_fault(features: Any) -> str | None:
    if not isinstance(features, list) or len(features) != 1 or not set(features[0]) <= _FEATURE_KEYS:
        return "Invalid value at 'requests[0].features'"
    if features[0].get("type") != "DOCUMENT_TEXT_DETECTION":
        return "Invalid value at 'requests[0].features[0].type'"
    if features[0].get("model", "builtin/stable") not in _MODELS:
        return "Invalid value at 'requests[0].features[0].model'"
    return None


def _context_fault(context: Any) -> str | None:
    hints = context.get("languageHints", []) if isinstance(context, dict) else None
    known = isinstance(context, dict) and set(context) <= _CONTEXT_KEYS
    if not known or not isinstance(hints, list) or not all(isinstance(hint, str) for hint in hints):
        return "Invalid value at 'requests[0].image_context'"
    return None


def _pieces(word: Written) -> list[dict[str, Any]]:
    """Google makes a mark at a word's end a word of its own, with nothing between."""
    head = word.text.rstrip(_MARKS)
    texts = [text for text in (head, *word.text[len(head) :]) if text]
    pieces, start = [], 0
    for number, text in enumerate(texts):
        share = start / len(word.text), (start + len(text)) / len(word.text)
        follows = word.follows if number == len(texts) - 1 else None
        pieces.append(_piece(text, _slice(word.corners, *share), word.confidence, follows))
        start += len(text)
    return pieces


def _piece(text: str, corners: Corners, confidence: float, follows: str | None) -> dict[str, Any]:
    symbols: list[dict[str, Any]] = [{"text": letter, "confidence": confidence} for letter in text]
    if follows:
        symbols[-1]["property"] = {"detectedBreak": {"type": follows}}
    sure = {"confidence": confidence} if confidence else {}
    return {"boundingBox": _polygon(corners), "symbols": symbols, **sure}


def _slice(corners: Corners, start: float, end: float) -> Corners:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners

    def on(share: float) -> tuple[tuple[float, float], tuple[float, float]]:
        return (ax + (bx - ax) * share, ay + (by - ay) * share), (dx + (cx - dx) * share, dy + (cy - dy) * share)

    return on(start)[0], on(end)[0], on(end)[1], on(start)[1]


def _polygon(corners: Corners) -> dict[str, Any]:
    rounded = [{"x": round(x), "y": round(y)} for x, y in corners]
    return {"vertices": [{name: value for name, value in corner.items() if value} for corner in rounded]}
