"""Recognise sentences that depend on the one before them."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Pronouns and determiners that refer to something named before.
_POINTING_EN = """
    this these those that such he she it they him her his hers its their theirs them we i our my us you your
"""
_POINTING_ES = """
    este esto esta estos estas ese eso esa esos esas aquel aquello aquella aquellos aquellas
    dicho dicha dichos dichas tal tales ello ella ellos ellas él su sus suyo suya suyos suyas
    le les lo nos nuestro nuestra nuestros nuestras
    mi mis yo usted ustedes tú tu tus
"""
#: Nouns that after "the" refer to something known, unless the text specifies which ("the study of …").
_KNOWN_EN = """
    latter former same author authors researcher researchers study studies report paper article second third other
    others result results finding findings difference effect effects team group groups two three programme program
    project approach
"""
_KNOWN_ES = """
    mismo misma mismos mismas anterior segundo segunda tercer tercero tercera otro otra otros otras primero primera
    autor autora autores autoras estudio estudios informe artículo resultado resultados investigador investigadores
    investigadoras diferencia efecto efectos equipo grupo programa proyecto
"""
#: Openings that continue the sentence before.
_GOING_ON_EN = (
    "however|moreover|furthermore|therefore|thus|hence|also|additionally|consequently|nevertheless",
    "nonetheless|meanwhile|instead|similarly|likewise|otherwise|conversely|then|finally|second|secondly",
    "third|thirdly|besides|accordingly|still|yet|but|and|or|so|nor|because of this|as a result",
    "in addition|in contrast|by contrast|on the (?:other hand|contrary)|for (?:example|instance)",
    "in other words|that said|here|there,|another|others|neither|either",
    "one (?:of (?:them|these|those)|such|was|is)",
    "(?:some|most|many|all|both|each|none) of (?:them|these|this)|both(?= (?:were|are|have|had|was)\\b)",
    "(?:of|among) (?:them|these|those)|at (?:that|this|the same) (?:time|point)",
    "(?:in|for|with|after|to|from|under|by|on|at|through|despite) (?:this|that|these|those|such|both)",
    "to this end|more(?: specifically| importantly)|in (?:particular|fact|short|sum|turn)|specifically",
    "again|later|(?:at|in|on|of|for|to|by) the (?:first|last|next|second|third|other) (?:one|ones|two|of these)",
    "(?:as|at|after|in|on|with|during|by|from|of) [^.;:]{3,100}, (?:it|they|he|she|this|these|those)",
)
_GOING_ON_ES = (
    "sin embargo|además|por (?:lo )?tanto|por (?:ello|eso|esto|esta|este|esa|ese|consiguiente)",
    "en consecuencia|asimismo|también|no obstante|así|entonces|luego|finalmente|por último|en cambio",
    "por el contrario|por otr[oa] (?:lado|parte)|por (?:un lado|una parte)|por ejemplo|es decir|pero|y|e",
    "o|ni|mientras tanto|aun así|otr[oa]s?|amb[oa]s(?= (?:son|fueron))",
    "(?:un[oa]|algun[oa]s?|ningun[oa]|muchos|muchas|tod[oa]s?|cada un[oa]) de (?:ell[oa]s|est[oa]s)",
    "de (?:est[eoa]s?|ello|ahí)|entre (?:ell[oa]s|est[oa]s)",
    "(?:en|para|con|tras|ante|bajo|desde|según|a) (?:est[eoa]s?|es[eoa]s?|ello|dich[oa]s?|tal|amb[oa]s)",
    "a pesar de (?:ello|esto|eso)|aquí|allí|cabe (?:señalar|destacar) también",
    "en (?:particular|concreto|suma|resumen)|de hecho|de igual (?:modo|manera)|del mismo modo|igualmente",
    "lo anterior|lo mismo|posteriormente|después,|al (?:primero|último|segundo)",
    "(?:en|con|tras|por|a|desde) [^,.;]{3,80}, (?:este|esta|estos|estas|él|ella|ellos|ellas|ello)",
    # A verb without its subject.
    "pregunta|ofrece|incluye|permite|busca|cuenta con|muestra|explica|advierte|señala|concluye|sostiene|propone",
    "describe|analiza|recomienda|afirma|dice|fue|fueron|es|son|era|eran|está|están|tiene|tienen|consiste|sirve",
)
_WHICH_EN = "of|on|in|from|that|which|who|whose|by|for|to|at|between|with|among|called|known"
_WHICH_ES = "de|del|en|sobre|que|cuyo|cuya|para|por|a|al|entre|con"


def dangles(text: str, language: str) -> bool:
    """Return whether the sentence's opening refers to something that only the sentence before names."""
    return bool((_ES if language == "es" else _EN).match(text))


def _pattern(pointing: str, article: str, known: str, which: str, going_on: Iterable[str]) -> re.Pattern[str]:
    alternatives = [
        _any(pointing),
        rf"{article}\s+{_any(known)}(?!\s+(?:{which})\b)",
        "|".join(going_on).replace(" ", r"\s+"),
    ]
    return re.compile(rf"[\"'“‘«(¿¡]{{0,9}}(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


def _any(words: str) -> str:
    return rf"(?:{'|'.join(words.split())})\b"


_EN = _pattern(_POINTING_EN, "the", _KNOWN_EN, _WHICH_EN, _GOING_ON_EN)
_ES = _pattern(_POINTING_ES, "(?:el|la|los|las)", _KNOWN_ES, _WHICH_ES, _GOING_ON_ES)
