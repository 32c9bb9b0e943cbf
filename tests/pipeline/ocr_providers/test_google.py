"""What Google Cloud Vision is asked, and what its answers become."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.errors import RecognitionError
from pipeline.ocr import recognise
from pipeline.ocr_providers.google import GoogleVision
from tests.support.reading.recognisers import blank, line_pixels, page_pixels, settings_for
from tests.support.servers.loopback import Response, json_response
from tests.support.servers.vision_server import VisionServer, Written, annotation, failed, upright

WORD = Written("Marisol", upright(10, 10, 60, 22), follows="LINE_BREAK")


@pytest.fixture
def server() -> Iterator[VisionServer]:
    with VisionServer() as running:
        yield running


def provider(server: VisionServer, **own: object) -> GoogleVision:
    return GoogleVision(settings_for(server, **own))


def test_the_picture_goes_out_as_it_is_with_the_key_in_no_address(server: VisionServer) -> None:
    seen: list[Image.Image] = []
    server.otherwise = lambda picture: seen.append(picture) or {}
    picture = line_pixels()
    assert provider(server).recognise(picture) == []
    assert np.array_equal(np.asarray(seen[0].convert("RGB")), picture)
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/v1/images:annotate")
    (asked,) = request.json()["requests"]
    assert asked["features"] == [{"type": "DOCUMENT_TEXT_DETECTION", "model": "builtin/stable"}]
    assert asked["imageContext"] == {"languageHints": ["en", "es"]}
    assert server.faults == []


def test_a_wrong_key_is_final(server: VisionServer) -> None:
    with pytest.raises(RecognitionError) as caught:
        provider(server, google_vision_api_key="AIza_of_another").recognise(line_pixels())
    assert not caught.value.retryable
    assert len(server.faults) == 1


@pytest.mark.parametrize(
    ("code", "retryable"),
    [(3, False), (7, False), (16, False), (0, False), (4, True), (8, True), (13, True), (14, True)],
)
def test_an_error_of_the_picture_is_an_error(server: VisionServer, code: int, retryable: bool) -> None:
    server.script = [lambda picture: failed(code, "Bad image data: Marisol")]
    with pytest.raises(RecognitionError, match=f"google: code {code}") as caught:
        provider(server).recognise(line_pixels())
    assert caught.value.retryable is retryable
    assert "Marisol" not in repr(caught.value)


def test_a_text_beside_an_error_is_no_content(server: VisionServer) -> None:
    server.script = [lambda picture: annotation([WORD], picture.size) | failed(13, "half of it is lost")]
    with pytest.raises(RecognitionError):
        provider(server).recognise_line(line_pixels())


@pytest.mark.parametrize("answers", [[], [{}, {}]])
def test_one_picture_has_one_answer(server: VisionServer, answers: list[Any]) -> None:
    server.script = [json_response({"responses": answers})]
    with pytest.raises(RecognitionError) as caught:
        provider(server).recognise(line_pixels())
    assert caught.value.retryable


def damaged(where: str, value: object) -> Response:
    """A good answer in which one thing is not as it should be."""
    answer = annotation([WORD], (100, 100))
    word = answer["fullTextAnnotation"]["pages"][0]["blocks"][0]["paragraphs"][0]["words"][0]
    if where == "vertices":
        word["boundingBox"]["vertices"] = value
    else:
        word[where] = value
    return Response(200, json.dumps({"responses": [answer]}).encode())


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("vertices", []),
        ("vertices", [{"x": 1}, {"x": 2}]),
        ("vertices", [{"x": float("nan")}] * 4),
        ("vertices", [{"x": "left"}] * 4),
        ("confidence", 1.7),
        ("confidence", float("nan")),
        ("symbols", []),
        ("symbols", [{"letter": "M"}]),
    ],
)
def test_an_answer_that_does_not_fit_is_no_content(server: VisionServer, where: str, value: object) -> None:
    server.script = [damaged(where, value)]
    with pytest.raises(RecognitionError, match="malformed") as caught:
        provider(server).recognise(line_pixels())
    assert caught.value.retryable and caught.value.__context__ is None


def test_a_page_on_its_side_is_turned_and_read_upright(server: VisionServer) -> None:
    def seen(picture: Image.Image) -> dict[str, Any]:
        """Three lines that run down the page where it lies on its side, and across it where it stands."""
        if picture.height > picture.width:
            rows = [upright(100, 100 + 40 * n, 500, 120 + 40 * n) for n in range(3)]
        else:
            high = picture.height
            rows = [
                ((100 + 40 * n, high - 100), (100 + 40 * n, 100), (120 + 40 * n, 100), (120 + 40 * n, high - 100))
                for n in range(3)
            ]
        texts = ("Marisol", "listens", "first")
        words = [Written(text, corners, follows="LINE_BREAK") for text, corners in zip(texts, rows, strict=True)]
        return annotation(words, picture.size)

    server.otherwise = seen
    lying = Image.fromarray(np.rot90(page_pixels(150)).copy())
    found = recognise(lying, provider(server), settings_for(server), None)
    assert found.turned == 90
    assert [word.text for word in found.words] == ["Marisol", "listens", "first"]
    assert found.confidence is not None and found.confidence > 0.9


def test_a_picture_that_is_too_large_is_sent_smaller_and_its_words_stay_in_place(
    server: VisionServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.ocr_providers.google._MOST", 60_000)
    server.otherwise = lambda picture: annotation(
        [Written("half", upright(0, 0, picture.width / 2, picture.height / 2))], picture.size
    )
    noise = np.random.default_rng(7).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    (line,) = provider(server).recognise(noise)
    assert line.words[0].box == pytest.approx((0, 0, 0.5, 0.5), abs=0.02)
    assert len(server.requests[0].body) < 61_000


def test_another_address_is_another_version(server: VisionServer) -> None:
    assert provider(server).version != GoogleVision(settings_for()).version
    assert "builtin/stable" in provider(server).version


def test_blank_paper_is_an_answer(server: VisionServer) -> None:
    server.script = [lambda picture: {}]
    assert provider(server).recognise(blank(30, 30)) == []
