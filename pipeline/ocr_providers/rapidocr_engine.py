"""RapidOCR's engine with its detector and recogniser replaced, and pictures padded to a few sizes.

The library rotates every crop that is taller than wide, which turns a single "1" into a dash. It also matches
letters with a list of confidences that includes blanks, so that words get their neighbours' confidences.

Importing this module loads RapidOCR and OpenVINO, about a second of work; so it is imported only to
recognise something.
"""

from __future__ import annotations

import logging
import math
from functools import lru_cache
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from openvino import Core, InferRequest, Model
from rapidocr import EngineType, RapidOCR
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_det.utils import DetPreProcess
from rapidocr.ch_ppocr_rec import TextRecInput, TextRecognizer, TextRecOutput
from rapidocr.inference_engine.openvino.device_config import CPUConfig
from rapidocr.utils.process_img import get_rotate_crop_image

from pipeline.ocr_providers.base import Pixels
from pipeline.ocr_providers.rapidocr import PARAMETERS, Quad, quad_sides, split_words

#: Letters of a step with less probability than this are omitted.
_LEAST_SHARE = 0.001
#: Code points below this are Latin letters, digits and punctuation.
_LATIN_UNTIL = 0x250
#: get_rotate_crop_image rotates crops with at least this ratio of height to width.
_TURNED_FROM = 1.5


@lru_cache(maxsize=1)
def engine(threads: int) -> Engine:
    """Return the process's engine; OpenCV and the inference engine use at most this many threads."""
    cv2.setNumThreads(threads)
    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL)
    engines = dict.fromkeys(("Det.engine_type", "Rec.engine_type", "Cls.engine_type"), EngineType.OPENVINO)
    limits = {
        "EngineConfig.openvino.inference_num_threads": threads,
        "EngineConfig.openvino.num_streams": 1,
        # Otherwise each process binds itself to the first processors while it computes: all workers to the same.
        "EngineConfig.openvino.enable_cpu_pinning": False,
    }
    return Engine(params=PARAMETERS | engines | limits)


class Engine(RapidOCR):  # type: ignore[misc]
    """RapidOCR with crops that are never rotated and words with their own confidence."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.text_det: PageDetector | None = None
        self.text_rec: LineRecogniser | None = None
        super().__init__(params=params)
        self.lock = Lock()

    def load(self) -> None:
        with self.lock:
            self._load_det_model()
            self._load_rec_model()

    def _load_det_model(self) -> PageDetector:
        if self.text_det is None:
            self.cfg.Det.engine_cfg = self.cfg.EngineConfig[self.cfg.Det.engine_type.value]
            self.cfg.Det.model_root_dir = self.cfg.Global.model_root_dir
            self.text_det = PageDetector(self.cfg.Det)
        return self.text_det

    def _load_rec_model(self) -> LineRecogniser:
        if self.text_rec is None:
            self.cfg.Rec.engine_cfg = self.cfg.EngineConfig[self.cfg.Rec.engine_type.value]
            self.cfg.Rec.model_root_dir = self.cfg.Global.model_root_dir
            self.text_rec = LineRecogniser(self.cfg.Rec)
        return self.text_rec

    def read_line(self, picture: Pixels) -> tuple[dict[str, float], ...]:
        """Run only the recogniser, on the whole picture; return Latin letters and probabilities of each step."""
        with self.lock:
            recogniser = self._load_rec_model()
            shares, _ = recogniser.shares(picture)
            return tuple(_considered(row, recogniser.postprocess_op.character) for row in shares[0])

    def crop_text_regions(self, img: Pixels, det_boxes: Any) -> list[Pixels]:
        """Return the lines' pictures, straightened but never rotated by 90 degrees."""
        return [cut_out(img, np.asarray(box, dtype=np.float32)) for box in det_boxes]

    def calc_word_boxes(self, img: list[Pixels], dt_boxes: Any, rec_res: Any) -> tuple[Any, ...]:
        """Return the words of each line."""
        pairs = zip(rec_res.txts, rec_res.word_results, strict=True)
        return tuple(split_words(text, info) for text, info in pairs)


def _considered(shares: NDArray[np.float32], alphabet: list[str]) -> dict[str, float]:
    """Return the likely letters of a step; the blank ("") is always included."""
    likely = {alphabet[i]: round(float(shares[i]), 5) for i in np.flatnonzero(shares >= _LEAST_SHARE) if i}
    return {"": round(float(shares[0]), 5)} | {char: share for char, share in likely.items() if _is_latin(char)}


def _is_latin(char: str) -> bool:
    return len(char) == 1 and (ord(char) < _LATIN_UNTIL or char in "‘’“”–—•")


def cut_out(picture: Pixels, quad: Quad) -> Pixels:
    """Return the straightened picture of one line."""
    crop: Pixels = get_rotate_crop_image(picture, quad.copy())
    length, depth = quad_sides(quad)
    return np.rot90(crop, 3) if int(depth) / max(int(length), 1) >= _TURNED_FROM else crop


# The detector and the recogniser of RapidOCR, with pictures padded to a few sizes.
#
# For every new input size the inference engine makes a new plan, which takes longer than recognising the line and
# stays in memory.


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
    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        model: Model = self.session.model
        self.session: Any = _ByShape(model, CPUConfig(cfg.engine_cfg).get_config())

    def get_preprocess(self) -> DetPreProcess:
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
