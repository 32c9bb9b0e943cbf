"""Values of English and Spanish cardinal numbers in words, in lower case without accents."""

from __future__ import annotations

_SMALL = """\
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete
"""
_TWENTIES = "veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"
_TENS = """\
- - twenty thirty forty fifty sixty seventy eighty ninety
- - veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa
"""
_HUNDREDS = """\
- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos
- cien doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas
"""


def _by_place(table: str, step: int) -> dict[str, int]:
    return {word: n * step for line in table.splitlines() for n, word in enumerate(line.split()) if word != "-"}


#: Single-word numbers below thirty, without the tens.
SMALL = {
    **_by_place(_SMALL, 1),
    "eighteen": 18,
    "nineteen": 19,
    "dieciocho": 18,
    "diecinueve": 19,
    "veintiun": 21,
    **{word: n for n, word in enumerate(_TWENTIES.split(), 21)},
}
TENS = _by_place(_TENS, 10)
CARDINALS = SMALL | TENS | _by_place(_HUNDREDS, 100)
