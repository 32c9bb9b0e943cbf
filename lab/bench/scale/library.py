"""Searching a thousand documents of the library by meaning."""

from __future__ import annotations

import time
from itertools import cycle, islice

from sqlalchemy import text

from lab.bench.measure import Measure, at_most, measured
from lab.bench.research.retrieving.questions import pages, questions
from lab.bench.research.retrieving.shelves import embed, shelves
from services.context import Context
from services.library.documents import LibraryFilter, list_library

DOCUMENTS = 1_000
_TIMES, _WARM, _P95_MS = 100, 5, 80
#: Copies the documents that there are until there are so many, with words added to each passage and its vectors
#: moved a little, so that neither are alike.
_COPIES = (
    """create temp table copies as select d.id as of, md5(d.id::text || k)::uuid as id, k
      from (select id, row_number() over (order by id) as n, count(*) over () as there from library_documents) d,
        generate_series(1, :documents / d.there::int) k
      where d.n + k * d.there <= :documents""",
    """create temp table noises as select n, (select array_agg(random() * 0.02 - 0.01 + 0 * (n + part))
      from generate_series(1, 384) part)::vector as noise from generate_series(0, 499) n""",
    """insert into library_documents select (jsonb_populate_record(d, jsonb_build_object('id', c.id,
        'sha256', md5(c.id::text || 1) || md5(c.id::text || 2), 'storage_key', 'library/' || c.id))).*
      from copies c join library_documents d on d.id = c.of""",
    """insert into library_passages (document_id, position, page_no, start_char, end_char, heading, text, language,
        run_keys)
      select c.id, p.position, p.page_no, p.start_char, p.end_char, p.heading, p.text || ' (copy ' || c.k || ')',
        p.language, p.run_keys from copies c join library_passages p on p.document_id = c.of""",
    """insert into embeddings.passage_embeddings (content, model, dimensions, vector)
      select distinct on (1) sha256(t.content || convert_to(c.k::text, 'UTF8')), e.model, e.dimensions,
        e.vector + n.noise
      from copies c join embeddings.passage_texts t on t.document_id = c.of
        join embeddings.passage_embeddings e on e.content = t.content
        join noises n on n.n = abs(hashtext(t.content::text || c.k)) % 500
      on conflict do nothing""",
    """insert into embeddings.passage_texts (content, document_id, position, part)
      select sha256(t.content || convert_to(c.k::text, 'UTF8')), c.id, t.position, t.part
      from copies c join embeddings.passage_texts t on t.document_id = c.of""",
    "analyze",
)


def measure() -> list[Measure]:
    """Fill a library with pages that strangers wrote and copies of them, and ask it their questions."""
    with shelves(pages("seen")) as filled:
        embed(filled)
        with filled.context.database.session() as session:
            for statement in _COPIES:
                session.execute(text(statement), {"documents": DOCUMENTS} if ":documents" in statement else {})
        documents, passages, vectors = _sizes(filled.context)
        asked = list(islice(cycle(questions("seen")), _WARM + _TIMES))
        spent = []
        for one in asked:
            begun = time.perf_counter()
            found = list_library(filled.context, LibraryFilter(text=one.question), one.language)
            spent.append(1000 * (time.perf_counter() - begun))
            if not found.page.rows:
                raise RuntimeError(f"nothing found for {one.question!r}")
    how = (
        f"95th percentile of {_TIMES} questions to {documents} documents ({passages} passages, {vectors} "
        "vectors), by words and by meaning, the vector of the question included; pages that strangers wrote, and "
        "copies of them with other words at the end and vectors moved a little"
    )
    value = sorted(spent[_WARM:])[int(0.95 * _TIMES)]
    return [measured("library_search_p95_ms", value, "ms", at_most(_P95_MS), how)]


def _sizes(context: Context) -> tuple[int, int, int]:
    with context.database.session() as session:
        row = session.execute(
            text(
                "select (select count(*) from library_documents), (select count(*) from library_passages),"
                " (select count(*) from embeddings.passage_texts)"
            )
        ).one()
    return int(row[0]), int(row[1]), int(row[2])
