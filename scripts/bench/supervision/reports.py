"""The report of a subject, complete or without one concept."""

from __future__ import annotations

from research.document import Reference, ReportDocument, Section
from scripts.bench.supervision.topics import BenchSection, BenchSource, Topic

#: Sources that the report was written from; the others stand in the library alone.
_READ = 7
_INTRODUCTION = {
    "en": ("Introduction", "This report asks: {query} It rests on {count} sources, read whole."),
    "es": ("Introducción", "Este informe pregunta: {query} Se apoya en {count} fuentes, leídas enteras."),
}
_LIMITS = {
    "en": ("Limits", "No source reports on more than one country, and few on the time before 2012."),
    "es": ("Límites", "Ninguna fuente trata de más de un país, y pocas del tiempo anterior a 2012."),
}
_OPENINGS = {
    "en": ("", "The sources agree on most of this.", "", "Here the evidence is older."),
    "es": ("", "Las fuentes coinciden en casi todo.", "", "Aquí los datos son más antiguos."),
}


def report(topic: Topic, *, complete: bool) -> ReportDocument:
    """The report; without its concept, and the section about it, where it is not to be complete."""
    kept = [section for section in topic.sections if complete or not section.of_gap]
    bodies = [(section.heading, _body(topic, section, place, complete)) for place, section in enumerate(kept)]
    cited = [source for source in topic.sources if any(f"[@{source.key}#" in body for _, body in bodies)]
    heading, sentence = _INTRODUCTION[topic.language]
    introduction = (heading, sentence.format(query=topic.query, count=len(cited)))
    return ReportDocument(
        title=topic.title,
        query=topic.query,
        language=topic.language,
        sections=tuple(
            Section(key=f"s{number}", heading=heading, body=body)
            for number, (heading, body) in enumerate([introduction, *bodies, _LIMITS[topic.language]])
        ),
        references=tuple(_reference(source) for source in cited),
    )


def _body(topic: Topic, section: BenchSection, place: int, complete: bool) -> str:
    read = [source.letter for source in topic.sources][:_READ]
    sentences = [
        f"{line.reported.removesuffix('.')} [@{topic.source(line.letter).key}#c{place}-{number}]."
        for number, line in enumerate(section.lines)
        if line.reported and line.letter in read and (complete or not line.of_gap)
    ]
    opening = _OPENINGS[topic.language][place % 4]
    return " ".join([opening, *sentences]).strip()


def _reference(source: BenchSource) -> Reference:
    return Reference.model_validate(
        {
            "key": source.key,
            "kind": source.kind,
            "title": source.title,
            "authors": (source.author,),
            "year": source.year,
            "publisher": source.publisher,
        }
    )
