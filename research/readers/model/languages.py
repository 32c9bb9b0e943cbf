"""Names of languages in prompts."""

from __future__ import annotations

from collections.abc import Mapping

from research.config import Language

LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "es": "Spanish"}
#: The language that a library may hold besides that of the request.
OTHER_LANGUAGE: Mapping[Language, Language] = {"en": "es", "es": "en"}
