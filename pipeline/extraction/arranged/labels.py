"""What a label on a page asks for, by the labels of all forms and the words that people put before values."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from pipeline.extraction.values.text import plain, squeezed
from pipeline.profiles import ENTRANT, FieldKind, PrintedRole, form_profiles
from pipeline.profiles.declared import known_heads
from pipeline.profiles.generation import by_generation

#: Words of a label.
LABEL_WORDS = 14
#: Letters of a recognised label that may be misread, and how alike (0-100) it is then.
_LEAST_MISREAD, _LIKE = 7, 88.0
_MARKS = r"(?>(?:[*:?]|\((?:required|optional|obligatorio|opcional)\))+)\s*+$"
#: A number, and the marks at the end: with all spaces before them, or, without one, from the first mark on.
_AROUND = re.compile(
    rf"^q?\d{{1,2}}[.)]\s++(?:{_MARKS})?|(?:(?<!\s)\s++|(?<![\s*:?])(?<!\(required\))(?<!\(optional\))"
    rf"(?<!\(obligatorio\))(?<!\(opcional\))){_MARKS}",
    re.I,
)
#: What stands between two names of one thing.
_HALVES = re.compile(r"(?:(?<!\s)\s++)?[/|]\s*+|(?<!\s)\s++-\s++")
#: Words that labels have or have not.
_SMALL = re.compile(r"\b(?:the|your|an?|el|las?|los|tu|su)\b")
#: What asks for the essay, in whatever words.
_ESSAY_ASKED = re.compile(
    r"^(?=.*\b(?:write|type|paste|enter|copy|submit|share|escrib[ae]|copi[ae]|peg[au]e?|ingres[ae])\b)"
    r".*\b(?:essay|ensayo)\b(?!.*[.!])"
)
_OTHERS = re.compile(r"\b(?:teacher|maestr[oa]|profesor[a]?|principal|school|escuela)\b")
_MAIL = re.compile(r"\b(?:e-?mail|correo)\b")
_PHONE = re.compile(r"\b(?:phone|telephone|mobile|cell|telefono|celular)\b")
_PART = re.compile(
    r"^(?:(?P<who>.+?)(?:'s)? )?(?P<part>first|given|last|family) name$|^(?P<es>nombres|apellidos?)$"
)


def meaning_of(text: str) -> tuple[str, FieldKind, str] | None:
    """Return field, kind and part of what a label asks for, where it is one that entries have."""
    bare = _AROUND.sub("", _AROUND.sub("", plain(text))).strip()
    if not bare:
        return None
    found = _labels().get(squeezed(bare)) or _labels().get(squeezed(_SMALL.sub(" ", bare)))
    if found is not None:
        return (*found, "")
    if len(bare.split()) <= LABEL_WORDS and _ESSAY_ASKED.search(bare):
        return "essay_text", FieldKind.ESSAY, ""
    halves = [_labels().get(squeezed(half)) for half in _HALVES.split(bare)]
    if len(halves) > 1 and halves[0] is not None and all(half == halves[0] for half in halves):
        return (*halves[0], "")
    if hit := _PART.match(bare):
        part = "last" if (hit["part"] or hit["es"])[:3] in ("las", "fam", "ape") else "first"
        whose = _whose(hit["who"])
        return (whose, FieldKind.PERSON, part) if whose else None
    if len(bare.split()) <= 5 and not _OTHERS.search(bare):
        if _MAIL.search(bare):
            return "email", FieldKind.EMAIL, ""
        if _PHONE.search(bare):
            return "phone", FieldKind.PHONE, ""
    return None


def _whose(who: str | None) -> str | None:
    """Return the field of the name of whom a label means, "student" as an example; the entrant's for None."""
    if who is None:
        return ENTRANT
    known = _labels().get(squeezed(f"{who}'s name")) or _labels().get(squeezed(f"{who} name"))
    return known[0] if known and known[1] is FieldKind.PERSON else None


@by_generation
def _labels() -> dict[str, tuple[str, FieldKind]]:
    """Return by their letters the labels of all forms and the words for fields, with the fields they ask for."""
    found: dict[str, tuple[str, FieldKind]] = {}
    for profile in form_profiles():
        for printed in profile.printed:
            if printed.role is PrintedRole.LABEL and printed.field:
                kind = profile.fields[printed.field].kind
                found |= {squeezed(text): (printed.field, kind) for text in printed.texts}
    for name, (kind, heads) in known_heads().items():
        found |= {squeezed(head): (name, kind) for head in heads if len(head) > 2}
    return found


def nearly_meaning(text: str) -> tuple[str, FieldKind, str] | None:
    """Return the same of a recognised label, of which letters may be misread."""
    found = meaning_of(text)
    letters = squeezed(text)
    if found is not None or len(letters) < _LEAST_MISREAD:
        return found
    one_letter = 100.0 * (1 - 1 / len(letters)) - 0.1
    close = process.extractOne(letters, _labels().keys(), scorer=fuzz.ratio, score_cutoff=min(_LIKE, one_letter))
    return (*_labels()[close[0]], "") if close else None
