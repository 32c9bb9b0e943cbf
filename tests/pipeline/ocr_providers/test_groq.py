"""What Groq's vision model is asked, and what its answers become."""

from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from core.errors import RecognitionError
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import RecognisedText
from pipeline.ocr_providers.groq import GroqVision
from pipeline.pages.page_model import UNSCORED
from tests.support.reading.recognisers import FIRST_LINE, PAGE_LINES, blank, line_pixels, page_pixels, settings_for
from tests.support.servers.groq_server import GroqServer, answer, invalid_json, picture_urls, refusal
from tests.support.servers.loopback import Response
from tests.support.servers.sent_pictures import decoded


@pytest.fixture
def server() -> Iterator[GroqServer]:
    with GroqServer() as running:
        yield running
        assert running.faults == []


def provider(server: GroqServer, **own: object) -> GroqVision:
    return GroqVision(settings_for(server, **own))


def test_the_picture_goes_out_as_it_is_to_the_model_of_the_settings(server: GroqServer) -> None:
    server.script = [answer({"lines": [FIRST_LINE]})]
    picture = line_pixels()
    assert provider(server, groq_vision_model="eye-1").recognise_line(picture) == RecognisedText(
        FIRST_LINE, UNSCORED
    )
    (body,) = server.bodies
    assert (body["model"], body["temperature"], body["response_format"]) == ("eye-1", 0, {"type": "json_object"})
    (url,) = picture_urls(body["messages"])
    sent = decoded(url.removeprefix("data:image/png;base64,"))
    assert sent is not None and np.array_equal(np.asarray(sent.convert("RGB")), picture)


def test_lines_have_single_blanks_and_none_is_empty(server: GroqServer) -> None:
    server.script = [answer({"lines": ["  Marisol \t Quintero ", "", " \n"]})]
    assert [line.text for line in provider(server).recognise(page_pixels())] == ["Marisol Quintero"]


def test_a_blank_picture_is_not_sent(server: GroqServer) -> None:
    assert provider(server).recognise(blank(300, 200)) == []
    assert provider(server).recognise_line(blank(30, 200)) == RecognisedText()
    assert server.requests == []


def test_ink_that_is_no_text_says_nothing(server: GroqServer) -> None:
    server.otherwise = answer({"lines": []})
    assert provider(server).recognise(page_pixels()) == []
    assert provider(server).recognise_line(line_pixels()) == RecognisedText()


def test_a_page_is_asked_for_once(server: GroqServer) -> None:
    server.otherwise = answer({"lines": PAGE_LINES})
    page = Image.fromarray(page_pixels(150))
    found = recognise(page, provider(server), settings_for(server), None)
    assert " ".join(word.text for word in found.words) == " ".join(PAGE_LINES)
    assert (found.confidence, found.turned, len(server.requests)) == (UNSCORED, 0, 1)


def test_an_answer_that_was_cut_off_is_no_content_and_final(server: GroqServer) -> None:
    server.script = [answer({"lines": [FIRST_LINE]}, finish="length")]
    with pytest.raises(RecognitionError, match="cut off") as caught:
        provider(server).recognise(line_pixels())
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "said",
    [
        "I am sorry, I cannot read this.",
        "",
        {"text": "Marisol"},
        {"lines": "Marisol"},
        {"lines": [7]},
        ["Marisol"],
    ],
)
def test_what_is_no_transcription_is_no_content(server: GroqServer, said: object) -> None:
    server.script = [answer(said)]
    with pytest.raises(RecognitionError, match="malformed") as caught:
        provider(server).recognise(line_pixels())
    assert caught.value.retryable
    assert "Marisol" not in repr(caught.value) and caught.value.__context__ is None


def test_a_reply_that_is_no_json_is_asked_for_again(server: GroqServer) -> None:
    server.script = [invalid_json("Here is the text: Marisol"), answer({"lines": [FIRST_LINE]})]
    found = provider(server, ocr_max_attempts=2).recognise_line(line_pixels())
    assert (found.text, len(server.requests)) == (FIRST_LINE, 2)


def test_it_is_asked_through_the_package_whose_own_retries_are_off(
    server: GroqServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_BASE_URL", "http://127.0.0.1:9/elsewhere")
    server.otherwise = refusal(500, "down")
    with pytest.raises(RecognitionError):
        provider(server, ocr_max_attempts=1).recognise_line(line_pixels())
    [request] = server.requests
    assert request.headers["user-agent"].startswith("Groq/Python")


def test_a_redirect_is_not_followed(server: GroqServer) -> None:
    server.otherwise = Response(307, headers={"Location": f"{server.url}/elsewhere"})
    with pytest.raises(RecognitionError) as caught:
        provider(server).recognise_line(line_pixels())
    assert not caught.value.retryable and len(server.requests) == 1


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/x", "http://[::1"])
def test_an_address_that_is_none_is_final(address: str) -> None:
    with pytest.raises(RecognitionError) as caught:
        GroqVision(settings_for(groq_api_key="k", groq_base_url=address)).recognise_line(line_pixels())
    assert not caught.value.retryable


def test_a_wrong_key_is_final() -> None:
    with GroqServer() as server:
        with pytest.raises(RecognitionError) as caught:
            provider(server, groq_api_key="gsk_of_another").recognise(line_pixels())
        assert not caught.value.retryable
        assert len(server.faults) == 1


def test_another_model_or_prompt_is_another_version(server: GroqServer, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = {provider(server).version, provider(server, groq_vision_model="eye-1").version}
    monkeypatch.setattr("pipeline.ocr_providers.groq.TRANSCRIBE", "Read this as JSON.")
    assert len(versions | {provider(server).version}) == 3
