"""Copies of a text: however they are written, at whatever place of a document, and in the library's passages."""

from __future__ import annotations

import unicodedata
import uuid

import pytest
from sqlalchemy import insert, update

from core.models import LibraryDocument, LibraryPassage
from services.context import Context
from services.library.copies import CERTAIN, LEAST, WITHDRAWN, WordRuns, copying_passages, run_keys, store_run_keys
from services.library.passages import PassageText
from services.library.reading import passage_rows

SPANISH = "Él me enseñó qué difícil es decir adiós, papá, aquí también."
ENGLISH = "I don't know why the official flag isn't flying when it's dark outside."
SPELLED = {
    "decomposed": (SPANISH, unicodedata.normalize("NFD", SPANISH)),
    "without accents": (SPANISH, "El me enseno que dificil es decir adios, papa, aqui tambien."),
    "soft hyphens and no-width spaces": (
        SPANISH,
        "Él me enseñó qué di\u00adfícil es de\u200bcir a\u2060diós, pa\u200epá, aquí tam\ufe0fbién.",
    ),
    "references": (SPANISH, "Él me enseñó[1] qué difícil es decir [2, 3] adiós, papá, aquí también [4]."),
    "raised numbers": (SPANISH, "Él me enseñó¹ qué difícil es² decir adiós,³ papá, aquí también.⁴"),
    "capitals": (SPANISH, SPANISH.upper()),
    "emphasis and quotation marks": (
        SPANISH,
        "Él me _enseñó_ «qué **difícil** es» decir: “adiós”, papá—aquí también.",
    ),
    "lines": (SPANISH, "Él me enseñó qué difí-\ncil es de- cir adiós, pa‐\n   pá, aquí también."),
    **{
        f"line ends {ord(c):x}": (
            SPANISH,
            f"Él me enseñó qué difí{c}\ncil es decir adiós, pa{c} pá, aquí también.",
        )
        for c in "\u00ad\u2011\u2013"
    },
    "a hyphen at a line end that belongs to the word": (
        "My well-known stepfather once sang the old marching song.",
        "My well-\nknown stepfather once sang the old marching song.",
    ),
    "ligatures": (ENGLISH, ENGLISH.replace("ffi", "ﬃ").replace("fl", "ﬂ")),
    "full width": (ENGLISH, "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in ENGLISH)),
    "no apostrophes": (ENGLISH, ENGLISH.replace("'", "")),
    **{f"apostrophe {c}": (ENGLISH, ENGLISH.replace("'", c)) for c in "\u2018\u2019\u201b\u02bc\u00b4\u2032`"},
}


@pytest.mark.parametrize(("text", "copy"), SPELLED.values(), ids=SPELLED)
def test_words_are_the_same_however_they_are_written(text: str, copy: str) -> None:
    runs = WordRuns([text])
    assert runs.copied(copy)
    assert runs.without(f"So: {copy} The end.").startswith(f"So: {WITHDRAWN}")
    assert set(runs.keys) & set(run_keys([f"Some words before. {copy} And some after it."])[0])
    back = WordRuns([copy])
    assert back.copied(text) and back.without(text).startswith(WITHDRAWN)


def test_seven_words_in_a_row_are_no_copy_and_common_phrases_are_not_certain() -> None:
    words = [f"word{number}" for number in range(40)]
    runs = WordRuns([" ".join(words)])
    assert not runs.copied(" ".join(words[:7]) + " other " + " ".join(words[9:16]))
    assert len(runs.copied(" ".join(words[3:11]))) == 1 < CERTAIN
    assert len(runs.copied(" ".join(words[3:19]))) == CERTAIN
    assert len(runs.copied("; other; ".join(" ".join(words[at : at + 10]) for at in (0, 12, 24)))) == CERTAIN


def in_library(context: Context, parts: list[str], submission_id: uuid.UUID | None = None) -> uuid.UUID:
    """A document with these passages."""
    document_id = uuid.uuid4()
    with context.database.session() as session:
        session.execute(
            insert(LibraryDocument).values(
                id=document_id,
                kind="book",
                original_filename="book.txt",
                byte_size=1,
                sha256=document_id.hex,
                storage_key=f"library/{document_id}",
                status="ready",
                submission_id=submission_id,
            )
        )
        passages = [PassageText(at, None, 0, len(part), None, part) for at, part in enumerate(parts)]
        session.execute(insert(LibraryPassage), passage_rows(document_id, passages, "es"))
    return document_id


def copying(context: Context, runs: WordRuns) -> dict[uuid.UUID, str]:
    with context.database.session() as session:
        return {one.document_id: "".join(one.texts) for one in copying_passages(session, runs)}


def test_a_copy_is_found_in_the_library_however_it_is_written(context: Context) -> None:
    other = in_library(context, ["Los puentes sobre el río están cerrados desde hace más de nueve años.\n"])
    for text, copy in SPELLED.values():
        document_id = in_library(context, ["A first passage. ", f"Some wrote: {copy} And more.", " The end."])
        found = copying(context, WordRuns([text]))
        assert copy in found.pop(document_id)
        assert other not in found


def test_a_copy_is_found_at_every_border_of_passages_and_over_several(context: Context) -> None:
    words = SPANISH.split()[:LEAST]
    split = [[" ".join(words[:at]) + " ", " ".join(words[at:])] for at in range(1, LEAST)]
    split.append([f"{word} " for word in words])
    split.append([" ".join(words[:3]) + " ", "\n\n", " ".join(words[3:5]) + " ", " ".join(words[5:])])
    before, after = "Antes de todo, algo más. ", " Y después el fin."
    split += [[" ".join(words[:4]) + " difí-\n", "cil " + " ".join(words[5:])]]
    split += [[" ".join(words[:4]) + " difí-", "\ncil ", "es de-\n", "cir " + " ".join(words[7:])]]
    documents = {in_library(context, [before, *parts, after]) for parts in split}
    assert copying(context, WordRuns([SPANISH])).keys() == documents


def test_passages_of_an_earlier_version_are_found_without_and_with_their_keys(context: Context) -> None:
    document_id = in_library(context, ["Uno dijo: Él me enseñó qué ", "difícil es decir adiós."])
    context.database.execute(update(LibraryPassage).values(run_keys=None))
    assert copying(context, WordRuns([SPANISH])).keys() == {document_id}
    assert store_run_keys(context) == 1
    assert store_run_keys(context) == 0
    assert copying(context, WordRuns([SPANISH])).keys() == {document_id}


def test_the_parts_of_a_text_keep_their_places_without_a_copy_that_crosses_them() -> None:
    parts = ["Uno: Él me enseñó qué ", "difícil es decir adiós.", " Otro: no."]
    left = WordRuns([SPANISH]).without_in_parts(parts)
    assert [len(part) for part in left] == [len(part) for part in parts]
    assert left[0].startswith(f"Uno: {WITHDRAWN} ") and left[1:] == [" " * 22 + ".", " Otro: no."]
