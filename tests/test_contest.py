"""Nothing outside the form profiles knows the contest: its name, its subject, its forms' texts and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.extraction.values.text import squeezed
from pipeline.profiles import FOLDER, built_in_profiles
from pipeline.schema import SubmissionRecord
from tests.support.code import ROOT, id_of

#: Folders of the product, and what is code or a page there; word lists of languages are neither.
FOLDERS = ("core", "pipeline", "research", "services", "web", "jobs", "commands", "templates", "static")
KINDS = {".py", ".html", ".js", ".css", ".toml", ".svg"}
#: Its name and what its essays are about.
SUBJECT = ("ifi", "illinois", "fatherhood", "father", "fathers", "father-figure", "padre", "padres")
#: Words of a language that are told from names or labels, whatever a form is about.
OF_A_LANGUAGE = {
    "pipeline/blanks/label_words.toml": {"padre"},
    "pipeline/blanks/areas.py": {"padre"},
    "pipeline/extraction/labelling/features.py": {"father", "fathers", "padre"},
    "pipeline/pages/layout.py": {"father", "padre"},
    "pipeline/pages/prompts.toml": {"father", "fathers", "padre"},
    "research/text/common_ground.toml": {"padres"},
    "research/sources/search_words.toml": {"father", "padre"},
}
#: A printed text of fewer letters ("Phone") is anybody's.
TELLING = 14


def files() -> Iterator[tuple[Path, str]]:
    """Every file of the product that may know nothing, with its text; `extract_ifi` is a name of the plans."""
    paths = [ROOT / "flask_app.py", *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))]
    for path in paths:
        if path.suffix in KINDS and path.is_file() and FOLDER not in path.parents:
            yield path, path.read_text(encoding="utf-8").replace("extract_ifi", "")


def own_fields() -> set[str]:
    """The fields that only this contest's forms ask for."""
    asked = {name for profile in built_in_profiles().values() for name in profile.fields}
    return asked - set(SubmissionRecord.model_fields)


def test_no_word_of_the_contest() -> None:
    words = {*SUBJECT, *own_fields(), *built_in_profiles()} - {"freeform"}
    assert {"ifi_2026", "parent_reaction", "writing_about"} <= words
    pattern = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})(?![\w-])"
    )
    found = {(id_of(path), word) for path, text in files() for word in pattern.findall(text.casefold())}
    assert found == {(path, word) for path, words in OF_A_LANGUAGE.items() for word in words}


def test_no_text_that_its_forms_print() -> None:
    printed = {
        bare
        for profile in built_in_profiles().values()
        for one in profile.printed
        for text in one.texts
        if len(bare := squeezed(text)) >= TELLING
    }
    assert len(printed) > 40
    found = [
        (id_of(path), text)
        for path, whole in files()
        for bare in [squeezed(whole)]
        for text in printed
        if text in bare
    ]
    assert found == []
