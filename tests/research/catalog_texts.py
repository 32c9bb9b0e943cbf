"""Sources for catalogs, invented: one text each."""

from __future__ import annotations

from research.document import Reference
from research.material import SourceText
from research.sources.base import Passage


def source(
    key: str, title: str, text: str, *, domain: str, url: str | None = None, language: str = "en", **more: object
) -> SourceText:
    reference = Reference.model_validate({"key": key, "kind": "web", "title": title, "url": url} | more)
    return SourceText(reference, domain, (Passage(text, 0, len(text)),), language)


def by_key(*sources: SourceText) -> dict[str, SourceText]:
    return {one.reference.key: one for one in sources}


TOOLS = by_key(
    source(
        "ledgerly",
        "Ledgerly: invoices for small bakeries",
        "# Ledgerly\n\nLedgerly is an invoicing tool for small bakeries and cafés. It sends reminders when a "
        "customer is "
        "late.\n\n## Pricing\n\nThe Starter plan costs $9 per month; the Oven plan costs $24 per month.\n",
        domain="ledgerly.example",
        url="https://ledgerly.example/",
    ),
    source(
        "roundup2025",
        "Five invoicing tools compared",
        "# Five invoicing tools compared\n\nWe tried invoicing tools in three kitchens.\n\n"
        "- **Ledgerly**: cheap and quick, our reviewers found that invoices took half the time.\n"
        "- **Crumb Books**: an invoicing app for market stalls, free for one user.\n"
        "- **Tally Oven** – a web service that joins orders and invoices; it costs €12 a month.\n\n"
        "Marta Quill, a reporter at Bread Weekly, said the tools were easy to learn. All of them work in "
        "London.\n",
        domain="breadweekly.example",
        url="https://breadweekly.example/tools",
        publisher="Bread Weekly",
        authors=("Marta Quill",),
    ),
)
MUSEUMS = by_key(
    source(
        "guide2024",
        "Rainy days in Port Ellery",
        "The Tinsmith Museum is a small museum of metal toys in the old harbour. Admission is $6 for adults "
        "and $2 for "
        "children. It opens from 10 a.m. to 4 p.m. every day but Monday.\n\n"
        "The Museum of Knots and Ropes lets children tie what sailors tied. Tickets cost $4.50.\n\n"
        "In Port Ellery many visitors also walk the sea wall. Mayor Odile Barrow opened it in 1998.\n",
        domain="portellery.example",
        url="https://portellery.example/rain",
        publisher="Port Ellery Tourism",
    ),
    source(
        "family2024",
        "Port Ellery with children",
        "Port Ellery with children\n\nMuseums for children\n\n"
        "- Tinsmith Museum: every day but Monday\n- Museum of Knots and Ropes: $4.50; children may tie knots\n\n"
        "Ask at the harbour office.",
        domain="family.example",
    ),
)
SCHOLARSHIPS = by_key(
    source(
        "becas2025",
        "Becas para estudiar música",
        "La Beca Horizonte Sonoro es una ayuda para jóvenes músicos de zonas rurales. Cubre la matrícula y "
        "300 euros al mes. "
        "Los solicitantes deben tener entre 16 y 22 años. El plazo termina el 30 de abril.\n\n"
        "El Fondo Clave de Sol, una beca para instrumentistas de viento, paga 1.500 € al año. "
        "Según una evaluación de 2023, el 80 % de los becados terminó sus estudios.\n",
        domain="musica.example.org",
        language="es",
    ),
)
SUBSIDIES = by_key(
    source(
        "farm2023",
        "Support for hill farms",
        "Support for hill farms\n\nIntroduction\n\nFarmers can apply for several schemes.\n\n"
        "| Scheme | Payment | Closing date |\n| --- | --- | --- |\n| Hedgerow Renewal | £12 per metre | 1 "
        "March |\n"
        "| Upland Pollinator Scheme | £310 per hectare | 15 June |\n\n"
        "The Ministry of Agriculture pays twice a year. An audit of Hedgerow Renewal found that 70 percent "
        "of hedges "
        "survived.\n",
        domain="hillfarms.example",
        url="https://hillfarms.example/support",
    ),
    source(
        "diary",
        "A year with hedges",
        "We have had two schemes on our hill. Hedgerow Renewal is the simpler one: it pays £12 per metre of "
        "hedge, and you apply by 1 March. The Upland Pollinator Scheme is for upland farms. It pays £310 "
        "per hectare.\n",
        domain="diary.example",
    ),
)
CLINICS = by_key(
    source(
        "north",
        "Mobile dental care in the north",
        "Two mobile clinics visit schools. BrightVan, a mobile dental clinic run from a converted bus, sees "
        "40 children a day; "
        "each visit costs $18. Smiles on Wheels is a clinic in a caravan. Visits are free of charge for families. "
        "BrightVan Plus is a clinic for adults and charges $45.\n",
        domain="health.example",
    ),
    source(
        "trial",
        "A trial of school dental visits",
        "Okoro and Lind followed 212 pupils. A randomised trial of BrightVan found that untreated decay fell "
        "by 31 percent.\n",
        domain="journal.example",
        url="https://journal.example/trial",
        kind="academic",
    ),
    source(
        "list",
        "Dental clinics that come to schools",
        "Mobile dental clinics for children\n\n- BrightVan: visits schools on Mondays\n"
        "- BrightVan Plus: a clinic for adults and children, charges $45\n"
        "- Smiles on Wheels: free of charge for families\n",
        domain="list.example",
    ),
)
