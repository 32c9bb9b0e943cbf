"""The detector and the recogniser of RapidOCR, with pictures padded to a few sizes.

For every new input size the inference engine makes a new plan, which takes longer than recognising the line and
stays in memory.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from openvino import Core, InferRequest, Model
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_det.utils import DetPreProcess
from rapidocr.ch_ppocr_rec import TextRecInput, TextRecognizer, TextRecOutput
from rapidocr.inference_engine.openvino.device_config import CPUConfig

from pipeline.ocr_providers.base import Pixels

#: Widths to which lines are padded, in pixels at the model's input height; wider lines to a multiple.
_WIDTHS = (320, 480, 640, 960, 1280, 1600, 2240)
#: Number of shapes for which compiled detectors are cached: pages and the fields cut out of them.
_SHAPES = 2
#: The models expect values from -1 to 1.
_HALF = 127.5


class LineRecogniser(TextRecognizer):  # type: ignore[misc]
    """Recognises line by line: on one thread batches are no faster, and each batch adds an input size."""

    def __call__(self, args: TextRecInput) -> TextRecOutput:
        """Return the text of every picture, with the steps of its letters."""
        pictures = [args.img] if isinstance(args.img, np.ndarray) else args.img
        said = [self._read(picture, args.return_word_box) for picture in pictures]
        lines, words = zip(*said, strict=True)
        texts, scores = zip(*lines, strict=True)
        return TextRecOutput(pictures, texts, scores, words, 0.0)

    def shares(self, picture: Pixels) -> tuple[NDArray[np.float32], float]:
        """Return the probabilities (steps x alphabet), and width over height of the recognised picture."""
        height = self.rec_image_shape[1]
        own = height * picture.shape[1] / picture.shape[0]
        wide = next((width for width in _WIDTHS if width >= own), math.ceil(own / _WIDTHS[-1]) * _WIDTHS[-1])
        ratio = wide / height
        return self.session(self.resize_norm_img(picture, ratio)[np.newaxis]), ratio

    def _read(self, picture: Pixels, with_words: bool) -> tuple[Any, Any]:
        shares, ratio = self.shares(picture)
        own = picture.shape[1] / picture.shape[0]
        lines, words = self.postprocess_op(shares, with_words, wh_ratio_list=[own], max_wh_ratio=ratio)
        return lines[0], words[0] if with_words else None


class PageDetector(TextDetector):  # type: ignore[misc]
    """Finds the lines of a page."""

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        model: Model = self.session.model
        self.session: Any = _ByShape(model, CPUConfig(cfg.engine_cfg).get_config())

    def get_preprocess(self) -> DetPreProcess:
        """Return the preprocessing of pictures."""
        return _Prepared(self.limit_side_len, self.limit_type, self.mean, self.std)


class _ByShape:
    """Compiles the model for each input shape: faster than one for all shapes, with half the memory."""

    def __init__(self, model: Model, config: dict[str, Any]) -> None:
        self._model = model
        self._core = Core()
        self._core.set_property("CPU", config)
        self._request = lru_cache(_SHAPES)(self._compiled)

    def __call__(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        request = self._request(pixels.shape)
        request.infer([pixels])
        found: NDArray[np.float32] = request.get_output_tensor().data
        return found

    def _compiled(self, shape: tuple[int, ...]) -> InferRequest:
        model = self._model.clone()
        model.reshape(list(shape))
        return self._core.compile_model(model, "CPU").create_infer_request()


class _Prepared(DetPreProcess):  # type: ignore[misc]
    """The library's preprocessing, in one pass over the picture."""

    def __call__(self, img: Pixels) -> NDArray[np.float32] | None:
        resized = self.resize(img)
        return None if resized is None else cv2.dnn.blobFromImage(resized, 1 / _HALF, mean=(_HALF,) * 3)
