"""Let several pictures of the same line vote on the value of a field.

The line is cut out with several margins, and each cut is drawn as it is, larger, sharper and with more contrast.
Recognition errs differently in each picture, and mostly where the writing is unclear: a value that nearly all of
them give is right far more often than the value of the surest picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from PIL import Image, ImageFilter, ImageOps

from core.file_store import FileStore
from core.messages import Message
from pipeline.extraction.combine import RECOGNISED_ALONE
from pipeline.extraction.fields import judge
from pipeline.extraction.values.mending import mended
from pipeline.extraction.values.text import squeezed
from pipeline.looks.line_look import LineLook
from pipeline.messages import ReadingWay
from pipeline.ocr import recognise_line
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

METHOD = "votes"
#: A value with a smaller share of the votes is not given, unless it was asked for.
_FEW = 0.25


def line_votes(
    field: str,
    kind: FieldKind,
    first: FieldReading | None,
    asked: Sequence[str],
    look: LineLook,
    provider: OcrProvider,
    store: FileStore | None,
) -> list[FieldReading]:
    """Return each value that was asked for, and each that many pictures give, with its share of the votes.

    The share is the confidence, 0 for a value that no picture gives; at most that of a value recognised alone.
    Raises RecognitionError, DamagedDocumentError.
    """
    cuts = look.cuts(field, kind, first)
    votes = [
        _vote(kind, [look.picture(line) for line in cut], way, provider, store) for cut in cuts for way in _WAYS
    ]
    wanted = {squeezed(value) for value in asked}
    shares = {
        value: share
        for letters, value in _by_letters(asked, votes).items()
        if (share := _share(kind, letters, votes)) >= _FEW or letters in wanted
    }
    return [_reading(value, share, cuts[0], look) for value, share in shares.items()]


def _vote(
    kind: FieldKind,
    lines: Sequence[Image.Image],
    way: Callable[[Image.Image], Image.Image],
    provider: OcrProvider,
    store: FileStore | None,
) -> str | None:
    text = " ".join(recognise_line(way(line), provider, store).text for line in lines)
    return judge(kind, mended(kind, text)).text


def _by_letters(asked: Sequence[str], votes: Iterable[str | None]) -> dict[str, str]:
    """Return a spelling for each value, by its letters: as it was asked for, else as most pictures give it."""
    counted = Counter(vote for vote in votes if vote)
    spellings: dict[str, str] = {}
    for value in [*asked, *(vote for vote, _ in counted.most_common())]:
        spellings.setdefault(squeezed(value), value)
    return spellings


def _share(kind: FieldKind, letters: str, votes: Sequence[str | None]) -> float:
    """Return the share of votes for a value; half of it for a grade that some picture reads differently.

    A picture may have cut off a digit: three votes for "12" among many for "2" are no chance.
    """
    given = [squeezed(vote) if vote else None for vote in votes]
    share = given.count(letters) / len(given)
    disputed = kind is FieldKind.GRADE and any(vote not in (None, letters) for vote in given)
    return share / 2 if disputed else share


def _reading(value: str, share: float, lines: Sequence[Box], look: LineLook) -> FieldReading:
    return FieldReading(
        value=value,
        confidence=round(min(share, RECOGNISED_ALONE), 4),
        source=Source.OCR,
        evidence=[look.evidence(line) for line in lines],
        method=METHOD,
        way=Message.of(ReadingWay.SECOND).to_json(),
        signals={"share": round(share, 4)},
    )


def _as_it_is(line: Image.Image) -> Image.Image:
    return line


def _larger(line: Image.Image) -> Image.Image:
    return line.resize((round(line.width * 1.4), round(line.height * 1.4)), Image.Resampling.BICUBIC)


def _sharper(line: Image.Image) -> Image.Image:
    return line.filter(ImageFilter.UnsharpMask(3, 180, 0))


def _starker(line: Image.Image) -> Image.Image:
    return ImageOps.autocontrast(line.convert("L"), cutoff=(1, 30)).convert("RGB")


_WAYS = (_as_it_is, _larger, _sharper, _starker)
