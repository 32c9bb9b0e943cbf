"""Words of the forms' labels: no value holds one unnoticed."""

from __future__ import annotations

from pipeline.extraction.values.schools import has_school_word
from pipeline.extraction.values.text import plain, squeezed
from pipeline.profiles import FieldKind, PrintedRole, form_profiles
from pipeline.profiles.declared import kinship_words
from pipeline.profiles.generation import by_generation

#: Shorter words ("del") are words of names too.
_LETTERS = 4


@by_generation
def label_words(kind: FieldKind, key: str | None = None) -> frozenset[str]:
    """Return the words of the labels of forms that a value of this kind does not have.

    Those of all forms, or, of an entry that was read with the form `key`, of that and of those of the files: what
    another form asks for may well be somebody's name.
    """
    forms = [form for form in form_profiles() if key is None or form.version is None or form.key == key]
    printed = [(form, p) for form in forms for p in form.printed if p.role is PrintedRole.LABEL and p.field]
    own = {w for form, p in printed for w in _words(p.texts) if p.field and form.fields[p.field].kind is kind}
    known = {w for _, p in printed for w in _words(p.texts)}
    return frozenset(known - (own if kind is not FieldKind.PERSON else set()) - kinship_words())


def _words(texts: tuple[str, ...]) -> set[str]:
    return {
        bare
        for text in texts
        for word in plain(text).replace("/", " ").replace("-", " ").split()
        if len(bare := squeezed(word)) >= _LETTERS
    }


def holds_label_word(kind: FieldKind, value: str, key: str) -> bool:
    """Whether a value of this kind has a word of a label; "Grade School" is a kind of school.

    `key`: see `label_words`.
    """
    of_labels = label_words(kind, key)
    words = [squeezed(word) for word in plain(value).replace("/", " ").replace("-", " ").split()]
    return any(
        word in of_labels and not (kind is FieldKind.SCHOOL and has_school_word(after))
        for word, after in zip(words, [*words[1:], ""], strict=False)
    )
