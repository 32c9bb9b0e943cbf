"""Questions as programme officers ask them, over the samples: what answers them is among the first eight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from commands.library import sample_files
from core.config import Settings, load_settings
from core.models import LibraryDocument
from research.sources.base import SearchScope
from research.sources.library import LibrarySource
from services.context import Context
from services.library.documents import add_document
from services.library.reading import read_library_document
from services.uploads.submit import IncomingFile
from tests.support.site import tidy_context

#: kind, language, question, files that must be among the first eight, files that must not be.
QUESTIONS = [
    ("web", "en", "What do programmes do that bring fathers to school? Identify 5 with costs and evaluations",
     ["harbor-dads-programme", "storybench-programme"], ["other-heat-pumps", "other-night-trains"]),
    ("academic", "en", "What do school programmes do that bring fathers in? Identify 5 with costs",
     ["review-programmes-fathers-school", "harbor-dads-evaluation"], ["other-bats-bridges", "other-urban-foxes"]),
    ("web", "en", "How much does Harbor Dads cost a school?", ["harbor-dads-programme", "harbor-dads-news"], []),
    ("academic", "en", "evaluation of reading programmes for fathers in barbershops", ["second-chair-trial"], []),
    ("book", "en", "barber shop reading with children", ["second-chair-essay"], ["other-bread-oven"]),
    ("academic", "en", "Do text messages change what fathers do who live apart from their children?",
     ["two-lines-study"], []),
    ("web", "en", "programmes for incarcerated fathers who read stories to their children, pricing",
     ["inside-stories-programme", "inside-stories-news"], []),
    ("academic", "en", "attachment theory and fathers", ["attachment-fathers", "inside-stories-study"], []),
    ("academic", "en",
     "Which theories explain father engagement: social capital, role identity, ecology?",
     ["social-capital", "role-identity", "ecological-systems"], []),
    ("book", "en", "history of fathers' involvement in schools in the nineteenth century",
     ["history-fathers-and-schools"], ["other-bread-oven"]),
    ("web", "en", "employer paid time off for fathers to visit school",
     ["paid-hour-programme", "paid-hour-column"], []),
    ("academic", "en", "effect of a walking bus on car traffic at schools", ["walking-bus-paper"], []),
    ("book", "en", "how to recruit volunteer drivers for a walking line", ["walking-bus-handbook"], []),
    ("academic", "en", "postnatal depression in first-time fathers peer groups", ["new-dad-circle-trial"], []),
    ("web", "en", "storm water rain gardens cost", ["other-rain-gardens"], ["harbor-dads-programme"]),
    ("web", "en", "science workshops for fathers and children with machines",
     ["garage-science-programme", "garage-science-radio"], []),
    ("book", "en", "how to calculate the cost per participant of a programme", ["guide-costs-programmes"], []),
    ("web", "es", "¿Qué programas llevan a los padres a la escuela y cuánto cuestan?",
     ["papas-en-el-aula-programa", "huerto-con-papa-programa", "circulo-ceiba-programa"], []),
    ("academic", "es", "evaluacion de programas para padres que golpean a sus hijos",
     ["circulo-ceiba-estudio"], []),
    ("academic", "es", "apego entre el padre y el niño en familias migrantes", ["apego-y-padres"], []),
    ("book", "es", "historia de la participación de los padres en las escuelas rurales",
     ["voces-padres-historia"], ["other-huertas-agua"]),
    ("web", "es", "cómo invitar a los padres a la escuela", ["guia-invitar-padres"], []),
    ("academic", "es", "huertos escolares con padres: resultados", ["huerto-con-papa-tesis"], []),
    ("book", "es", "reparto del agua de riego en las acequias", ["other-huertas-agua"], []),
]  # fmt: skip


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory, database_url: str, redis_url: str) -> Iterator[Context]:
    settings: Settings = load_settings(
        _env_file=None,
        var_dir=tmp_path_factory.mktemp("library"),
        database_url=database_url,
        redis_url=redis_url,
        secret_key="test",
        demo_accounts=False,
    )
    with tidy_context(settings) as opened:
        for path, shelf in sample_files():
            file = IncomingFile(path.name, path.read_bytes(settings.max_upload_bytes))
            read_library_document(opened, add_document(opened, None, file, shelf, queue=False).document_id)
        yield opened


def found(context: Context, kind: str, language: str, question: str) -> list[str]:
    source = LibrarySource(context.database)
    hits = source.search(question, 8, SearchScope(kind=kind, language=language))  # type: ignore[arg-type]
    with context.database.session() as session:
        names = {
            str(row.id): row.original_filename.rpartition(".")[0]
            for row in session.execute(select(LibraryDocument.id, LibraryDocument.original_filename))
        }
    return [names[hit.locator] for hit in hits]


@pytest.mark.parametrize(("kind", "language", "question", "wanted", "unwanted"), QUESTIONS)
def test_what_answers_is_among_the_first_eight(
    context: Context, kind: str, language: str, question: str, wanted: list[str], unwanted: list[str]
) -> None:
    names = found(context, kind, language, question)
    assert not set(wanted) - set(names), names
    assert not set(unwanted) & set(names), names


def test_the_first_one_mostly_answers(context: Context) -> None:
    right = [found(context, *question[:3])[:1] for question in QUESTIONS]
    share = sum(bool(set(first) & set(question[3])) for first, question in zip(right, QUESTIONS, strict=True))
    assert share >= 0.8 * len(QUESTIONS)


def test_every_sample_is_read_marked_and_shared_out(context: Context) -> None:
    rows = context.database.scalars(select(LibraryDocument))
    assert len(rows) >= 40
    assert not [row.original_filename for row in rows if row.status != "ready" or not row.is_sample]
    assert not [row.original_filename for row in rows if not row.title or (not row.authors and row.kind != "web")]
    assert sum(row.language == "es" for row in rows) >= 12
    shares = [row.publisher for row in rows]
    assert len(set(shares)) >= 12 and max(map(shares.count, set(shares))) <= len(rows) / 8
