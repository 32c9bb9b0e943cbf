"""An essay with a word that could be a name waits for a person, and enters the library as the person decides."""

from __future__ import annotations

import uuid

import pytest

from services.context import Context
from services.library.documents import remove_document, restore_document
from services.library.essays.add_essays import Essays, add_essays, decide_word, refresh_essays
from services.library.essays.word_decisions import last_decided_word, next_word, undo_word
from tests.services.library.test_add_essays import approved, change, essays
from tests.support import factories
from tests.support.research.library import text_of

ESSAY = "My dad cooks with my aunt rose and we laugh."


@pytest.mark.parametrize(
    ("taken_out", "wanted"), [(True, "my aunt R. and we laugh."), (False, "my aunt rose and we laugh.")]
)
def test_an_essay_waits_for_its_words(context: Context, taken_out: bool, wanted: str) -> None:
    entry = approved(context, essay_text=ESSAY)
    assert add_essays(context) == Essays(waiting=1) and essays(context) == []
    assert refresh_essays(context).written == 0
    word = next_word(context)
    assert word is not None
    assert (word.essay, word.doubt.word, word.waiting) == ("M. Q., grade 4", "rose", 1)
    assert word.doubt.before.endswith("my aunt ") and word.doubt.behind.startswith(" and we")
    with context.database.session() as session:
        person = factories.make_profile(session).id
    assert decide_word(context, person, entry, "rose", taken_out=taken_out)
    assert not decide_word(context, person, entry, "rose", taken_out=not taken_out)
    assert next_word(context) is None and refresh_essays(context) == Essays(written=1)
    assert wanted in text_of(context, essays(context)[0].id)


def test_a_changed_essay_is_looked_at_anew(context: Context) -> None:
    entry = approved(context, essay_text=ESSAY)
    add_essays(context)
    change(context, entry, "My dad cooks and we laugh.")
    assert refresh_essays(context) == Essays(written=1)
    change(context, entry, ESSAY)
    assert refresh_essays(context) == Essays(waiting=1) and essays(context) == []


def test_nothing_in_a_download_leads_to_the_entry(context: Context) -> None:
    entry = approved(context)
    add_essays(context)
    (essay,) = essays(context)
    assert str(entry) not in context.store.get(essay.storage_key).decode()


def test_a_restored_essay_is_written_anew(context: Context) -> None:
    entry = approved(context)
    add_essays(context)
    (essay,) = essays(context)
    remove_document(context, essay.id)
    change(context, entry, "He sings while he cooks.")
    restore_document(context, essay.id, uuid.uuid4())
    assert refresh_essays(context).written == 1
    assert text_of(context, essay.id) == "He sings while he cooks."


def test_the_last_decision_is_undone_by_its_person_alone(context: Context) -> None:
    entry = approved(context, essay_text=ESSAY)
    add_essays(context)
    with context.database.session() as session:
        person, other = (factories.make_profile(session).id for _ in range(2))
    assert last_decided_word(context, person) is None
    decide_word(context, person, entry, "rose", taken_out=False)
    assert refresh_essays(context).written == 1
    assert not undo_word(context, other, entry, "rose") and not undo_word(context, person, entry, "lily")
    assert undo_word(context, person, entry, "rose") and not undo_word(context, person, entry, "rose")
    assert essays(context) == [] and refresh_essays(context) == Essays(waiting=1)
    decide_word(context, person, entry, "rose", taken_out=True)
    assert refresh_essays(context).written == 1
    assert "my aunt R. and" in text_of(context, essays(context)[0].id)


def test_undoing_does_not_bring_back_what_a_person_removed(context: Context) -> None:
    entry = approved(context, essay_text=ESSAY)
    add_essays(context)
    with context.database.session() as session:
        person = factories.make_profile(session).id
    decide_word(context, person, entry, "rose", taken_out=True)
    add_essays(context)
    remove_document(context, essays(context)[0].id)
    undo_word(context, person, entry, "rose")
    decide_word(context, person, entry, "rose", taken_out=True)
    assert refresh_essays(context).written == 0 and essays(context) == []
