import numpy as np
import pytest

from core.errors import RecognitionRefusedError
from pipeline.ocr_providers.base import Pixels, encode_picture
from tests.support.reading.recognisers import line_pixels
from tests.support.servers.sent_pictures import decoded


def noise(height: int = 300, width: int = 400) -> Pixels:
    """What packs badly."""
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_a_small_picture_arrives_pixel_by_pixel() -> None:
    red = line_pixels().copy()
    red[:, :, 1:] = 0
    sent = encode_picture(red, 1_000_000)
    picture = decoded(sent.base64, sent.media_type)
    assert sent.media_type == "image/png" and picture is not None
    assert np.array_equal(np.asarray(picture), red)


@pytest.mark.parametrize(("most", "size"), [(300_000, (400, 300)), (60_000, None)])
def test_a_large_one_comes_smaller_and_says_its_size(most: int, size: tuple[int, int] | None) -> None:
    sent = encode_picture(noise(), most)
    picture = decoded(sent.base64, "image/jpeg")
    assert picture is not None and picture.size == (sent.width, sent.height)
    assert len(sent.base64) <= most
    assert picture.size == size if size else picture.width < 400


def test_one_that_never_fits_is_refused() -> None:
    with pytest.raises(RecognitionRefusedError):
        encode_picture(noise(), 1000)
