"""The detector and the recogniser of RapidOCR, fed with pictures of few sizes.

Every new size of input makes the inference engine plan anew: that takes it longer than the line itself, and what
it planned stays in memory.
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

#: Widths to which lines are padded, in pixels at the height that the model wants; wider ones to a multiple.
_WIDTHS = (320, 480, 640, 960, 1280, 1600, 2240)
#: Shapes that the detector is kept ready for: pages and the fields cut out of them.
_SHAPES = 2
#: The models take values from -1 to 1.
_HALF = 127.5


class LineRecogniser(TextRecognizer):  # type: ignore[misc]
    """Recognises line by line: on one thread a batch is no faster, and each makes a size of its own."""

    def __call__(self, args: TextRecInput) -> TextRecOutput:
        """The text of every picture, with the steps at which its letters stand."""
        pictures = [args.img] if isinstance(args.img, np.ndarray) else args.img
        said = [self._read(picture, args.return_word_box) for picture in pictures]
        lines, words = zip(*said, strict=True)
        texts, scores = zip(*lines, strict=True)
        return TextRecOutput(pictures, texts, scores, words, 0.0)

    def shares(self, picture: Pixels) -> tuple[NDArray[np.float32], float]:
        """Steps x alphabet: how likely each letter is; and the width over height of what was recognised."""
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
        """The step between the picture and the model."""
        return _Prepared(self.limit_side_len, self.limit_type, self.mean, self.std)


class _ByShape:
    """A model compiled for each shape of input: faster than one for all shapes, and it takes half the memory."""

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
    """As the library prepares pictures, in one pass over them."""

    def __call__(self, img: Pixels) -> NDArray[np.float32] | None:
        resized = self.resize(img)
        return None if resized is None else cv2.dnn.blobFromImage(resized, 1 / _HALF, mean=(_HALF,) * 3)
