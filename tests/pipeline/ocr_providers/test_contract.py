"""What every OCR provider of the tuple promises, and what the remote ones promise when their service fails."""

from collections.abc import Iterator

import pytest

from core.errors import AppError, ConfigurationError, RecognitionError
from pipeline.ocr import cache_key
from pipeline.ocr_providers import ALL_PROVIDERS, get_provider
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import UNSCORED
from tests.support.reading.recognisers import (
    FIRST_LINE,
    PAGE_LINES,
    PAGE_WORDS,
    REMOTE,
    blank,
    line_pixels,
    needs_program,
    page_pixels,
    ready,
    serving,
    settings_for,
)
from tests.support.servers.loopback import Response

READING = [provider for provider in ALL_PROVIDERS if provider.name != "none"]
PLACING = [provider for provider in READING if provider.places_known]


@pytest.fixture(params=ALL_PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> Iterator[OcrProvider]:
    with ready(request.param) as made:
        yield made


@pytest.fixture(params=READING, ids=lambda provider: provider.name)
def reader(request: pytest.FixtureRequest) -> Iterator[OcrProvider]:
    """One that recognises anything."""
    with ready(request.param) as made:
        yield made


@pytest.fixture(params=PLACING, ids=lambda provider: provider.name)
def placer(request: pytest.FixtureRequest) -> Iterator[OcrProvider]:
    """One that knows where words stand."""
    with ready(request.param) as made:
        yield made


def test_it_is_found_by_its_name(provider: OcrProvider) -> None:
    assert type(get_provider(provider.name, settings_for())) is type(provider)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match=r"OCR_PROVIDER.*rapidocr, tesseract, google, groq, none"):
        get_provider("abacus", settings_for())


def test_its_version_is_stable_and_its_own(provider: OcrProvider) -> None:
    assert provider.version == provider.version
    others = [kind(settings_for()) for kind in ALL_PROVIDERS if _is_there(kind) and kind.name != provider.name]
    picture = page_pixels(36)
    assert cache_key(picture, provider) not in {cache_key(picture, other) for other in others}
    assert provider.version not in {other.version for other in others}


def test_no_version_holds_a_key(provider: OcrProvider) -> None:
    assert "loopback_key" not in provider.version


def test_lines_have_words_with_boxes_on_the_picture(provider: OcrProvider) -> None:
    for line in provider.recognise(page_pixels()):
        assert line.words and line.aspect > 0 and -45 <= line.slope <= 45
        for word in line.words:
            assert word.text and not any(c.isspace() for c in word.text)
            assert 0 <= word.confidence <= 1
            x0, y0, x1, y1 = word.box
            assert 0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1


def test_the_page_is_read(reader: OcrProvider) -> None:
    lines = sorted(reader.recognise(page_pixels(150)), key=lambda line: line.words[0].box.cy)
    assert len(lines) == len(PAGE_LINES)
    words = " ".join(line.text for line in lines).split(" ")
    wrong = [word for word, wanted in zip(words, " ".join(PAGE_LINES).split(" "), strict=True) if word != wanted]
    # Tesseract takes an "I" for a "|".
    assert len(wrong) <= 1
    assert all(line.aspect > 1 for line in lines)


def test_words_stand_where_they_are_printed(placer: OcrProvider) -> None:
    lines = sorted(placer.recognise(page_pixels(150)), key=lambda line: line.words[0].box.cy)
    words = [word for line in lines for word in line.words]
    for word, (x0, y0, x1, y1, *_) in zip(words, PAGE_WORDS, strict=True):
        assert abs(word.box.cx * 612 - (x0 + x1) / 2) < 6
        assert abs(word.box.cy * 792 - (y0 + y1) / 2) < 5


def test_what_knows_no_places_keeps_the_order_and_claims_no_certainty() -> None:
    (placeless,) = [kind for kind in READING if not kind.places_known]
    with ready(placeless) as reader:
        lines = reader.recognise(page_pixels())
    words = [word for line in lines for word in line.words]
    assert {word.confidence for word in words} == {UNSCORED}
    assert [line.words[0].box.y0 for line in lines] == sorted({word.box.y0 for word in words})


@pytest.mark.parametrize("shape", [(200, 300), (1, 1), (7, 900), (900, 7), (3000, 20)])
def test_blank_pictures_of_any_shape_have_no_words(provider: OcrProvider, shape: tuple[int, int]) -> None:
    assert provider.recognise(blank(*shape)) == []


def test_the_same_picture_reads_the_same(provider: OcrProvider) -> None:
    assert provider.recognise(page_pixels()) == provider.recognise(page_pixels())


def test_one_line_has_a_text_without_looking_for_its_place(reader: OcrProvider) -> None:
    line = reader.recognise_line(line_pixels(150))  # a view: its rows do not follow each other in memory
    assert line.text == FIRST_LINE
    assert 0.5 <= line.confidence <= 1


def test_a_blank_line_says_nothing(provider: OcrProvider) -> None:
    line = provider.recognise_line(blank(40, 90))
    assert (line.text, line.confidence) == ("", 0.0)


@pytest.mark.parametrize("name", REMOTE)
@pytest.mark.parametrize("method", ["recognise", "recognise_line"])
@pytest.mark.parametrize(
    "failure",
    [
        Response(429, b"{}", {"Retry-After": "7"}),
        Response(500, b'{"error": {"message": "Marisol Quintero"}}'),
        Response(503, b"Marisol Quintero"),
        Response(silent=True),
        Response(drop=True),
        Response(200, b"<html>Marisol Quintero</html>", {"Content-Type": "text/html"}),
        Response(200, b'{"responses": [{"fullTextAnnotation": {"text": "Marisol Quin'),
        Response(200, b'{"greeting": "Marisol Quintero"}'),
        Response(200, b"null"),
        Response(200, b""),
    ],
    ids=["429", "500", "503", "silence", "dropped", "page", "cut", "stranger", "null", "empty"],
)
def test_what_may_pass_is_an_error_to_try_again_and_no_content(name: str, method: str, failure: Response) -> None:
    with serving(name, failure) as server:
        provider = get_provider(name, settings_for(server, ocr_timeout_seconds=0.3 if failure.silent else 20))
        with pytest.raises(RecognitionError) as caught:
            getattr(provider, method)(line_pixels())
        assert caught.value.retryable
        assert_says_nothing_of_the_entry(caught.value)
        # With the usual time: an answer on a busy machine may take longer than a silence is waited for.
        provider = get_provider(name, settings_for(server))
        assert getattr(provider, method)(line_pixels())


@pytest.mark.parametrize("name", REMOTE)
@pytest.mark.parametrize("status", [302, 307, 400, 401, 403, 404, 413])
def test_a_refusal_is_final(name: str, status: int) -> None:
    body = b'{"error": {"code": "no", "message": "Marisol Quintero"}}'
    with serving(name, Response(status, body, {"Location": "http://127.0.0.1:9/"})) as server:
        provider = get_provider(name, settings_for(server, ocr_max_attempts=3))
        with pytest.raises(RecognitionError) as caught:
            provider.recognise(line_pixels())
        assert not caught.value.retryable
        assert_says_nothing_of_the_entry(caught.value)
        assert server is not None and len(server.requests) == 1


@pytest.mark.parametrize("name", REMOTE)
def test_a_service_that_recovers_is_asked_again(name: str) -> None:
    with serving(name, Response(503), Response(429, b"{}", {"Retry-After": "0"})) as server:
        provider = get_provider(name, settings_for(server, ocr_max_attempts=3))
        assert provider.recognise_line(line_pixels()).text == FIRST_LINE
        assert server is not None and len(server.requests) == 3


@pytest.mark.parametrize("name", REMOTE)
def test_nobody_listens(name: str) -> None:
    with serving(name) as server:
        settings = settings_for(server)
    with pytest.raises(RecognitionError) as caught:
        get_provider(name, settings).recognise(line_pixels())
    assert caught.value.retryable


@pytest.mark.parametrize(("name", "variable"), [("google", "GOOGLE_VISION_API_KEY"), ("groq", "GROQ_API_KEY")])
def test_without_a_key_nothing_starts(name: str, variable: str) -> None:
    without = {"google_vision_api_key": None, "groq_api_key": None}
    with pytest.raises(ConfigurationError, match=variable):
        settings_for(ocr_provider=name, **without)
    with pytest.raises(ConfigurationError, match=variable):
        get_provider(name, settings_for(**without))


@pytest.mark.parametrize("name", REMOTE)
@pytest.mark.parametrize("key", ["a key\nof two lines", "clé", ""])
def test_a_key_that_no_header_takes_is_refused_and_not_quoted(name: str, key: str) -> None:
    settings = settings_for(
        google_vision_api_key=key, groq_api_key=key, google_vision_base_url="http://127.0.0.1:9"
    )
    settings = settings.model_copy(update={"groq_base_url": "http://127.0.0.1:9"})
    with pytest.raises(AppError) as caught:
        get_provider(name, settings).recognise(line_pixels())
    assert not key or key not in said_by(caught.value)


def assert_says_nothing_of_the_entry(error: AppError) -> None:
    said = said_by(error)
    assert "Quin" not in said and "loopback_key" not in said


def said_by(error: BaseException | None) -> str:
    """What a traceback would show of the error and all that led to it."""
    if error is None:
        return ""
    return f"{error!r} {error} {said_by(error.__cause__)} {said_by(error.__context__)}"


def _is_there(kind: type[OcrProvider]) -> bool:
    try:
        needs_program(kind.name)
    except pytest.skip.Exception:
        return False
    return True
