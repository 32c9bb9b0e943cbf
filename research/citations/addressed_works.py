"""Read the DOI of a work, or its number in a collection, from URLs of well-known hosts."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

#: Publishers whose URLs contain the last part of the work's DOI, and the DOI made from it.
_DOI_PAGES = (
    (re.compile(r"nature\.com/articles/(?:doi:)?([a-z\d](?=[\w-]*\d)[\w-]*+)(?:[./].{0,2000})?$"), "10.1038/{}"),
    (re.compile(r"peerj\.com/articles/(\d+)(?:[./].{0,2000})?$"), "10.7717/peerj.{}"),
    (re.compile(r"peerj\.com/articles/cs-(\d+)(?:[./].{0,2000})?$"), "10.7717/peerj-cs.{}"),
    (re.compile(r"elifesciences\.org/(?:articles|content|reviewed-preprints)/(\d{5,6})\b"), "10.7554/elife.{}"),
    (re.compile(r"bmj\.com/content/(?:bmj/)?\d+/(bmj[.-][a-z]?[\d-]*\d)"), "10.1136/{}"),
    (re.compile(r"pubs\.rsc\.org/.{0,500}/article\w{1,40}/\d{4}/\w{1,40}/(\w+)"), "10.1039/{}"),
    (re.compile(r"hindawi\.com/journals/\w+/(\d{4}/\d+)"), "10.1155/{}"),
)
#: Query parameters whose value may be a DOI.
_DOI_PARAMETERS = frozenset({"id", "doi", "article", "articleid", "uri"})
_DOI = re.compile(r"(?:doi:)?10\.\d{4,9}/\S")
_PREPRINT_VERSION = re.compile(r"^(10\.(?:1101|64898)/[\d.]*\d)v\d+(?:\..{0,500})?$")

#: Collections, and the pattern by which a URL or DOI gives the number of a work in each.
_COLLECTIONS = (
    (
        "arxiv",
        re.compile(
            r"arxiv\.org/(?:abs|pdf|html|format)/((?:[a-z-]+(?:\.[a-z]{2})?/)?\d[\d.]*?\d)(?:v\d+)?(?:\.pdf)?/?$"
        ),
    ),
    ("arxiv", re.compile(r"10\.48550/arxiv\.((?:[a-z-]+(?:\.[a-z]{2})?/)?\d[\d.]*\d)(?:v\d+)?$")),
    ("arxiv", re.compile(r"^arxiv:\s*((?:[a-z-]+(?:\.[a-z]{2})?/)?\d[\d.]*\d)(?:v\d+)?$")),
    ("pmid", re.compile(r"europepmc\.org/(?:article|abstract)/med/(\d+)")),
    ("pmid", re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d+)")),
    (
        "pmc",
        re.compile(
            r"(?:(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/|europepmc.{0,500}/)pmc(\d+)"
        ),
    ),
    ("jstor", re.compile(r"jstor\.org/stable/(?:pdf/|pdfplus/)?(?:10\.2307/)?(\d+)")),
    ("jstor", re.compile(r"10\.2307/(\d+)$")),
    ("openalex", re.compile(r"openalex\.org/(?:works/)?(w\d+)")),
    ("openlibrary", re.compile(r"openlibrary\.org/(?:works|books)/(ol\d+[wm])")),
    ("eric", re.compile(r"files\.eric\.ed\.gov/fulltext/(e[dj]\d+)")),
    ("eric", re.compile(r"eric\.ed\.gov/\?(?:.{0,500}&)?id=(e[dj]\d+)")),
    ("ssrn", re.compile(r"(?:abstract_id|ssrn\.com/abstract)=(\d+)")),
    ("ssrn", re.compile(r"10\.2139/ssrn\.(\d+)$")),
    ("zenodo", re.compile(r"(?:zenodo\.org/records?/|10\.5281/zenodo\.)(\d+)")),
    ("figshare", re.compile(r"figshare\.com/articles/(?:[\w-]+/)*?(\d{6,})\b")),
    ("figshare", re.compile(r"10\.6084/m9\.figshare\.(\d+)")),
    ("pii", re.compile(r"/pii/?([sb][\dx()-]{15,22})")),
    ("pii", re.compile(r"10\.1016/([sb]\d{4}-[\dx]{4}\(\d\d\)[\dx-]+)")),
    ("pii", re.compile(r"[/=](?:pii)?(s\d{4}-[\dx]{4}\(\d\d\)[\dx-]+)")),
    ("jama", re.compile(r"jamanetwork\.com/journals/([\w-]+)/(?:fullarticle|article-abstract|articlepdf)/(\d+)")),
    ("mdpi", re.compile(r"mdpi\.com/(\d{4}-\d{3}[\dx]/\d+/\d+/\d+)")),
    ("nber", re.compile(r"(?:nber\.org/(?:papers|system/files/working_papers)/|10\.3386/)(w\d+)")),
    ("osf", re.compile(r"osf\.io/(?:preprints/(?:\w+/)?)?([a-z0-9]{5})(?:_v\d+)?(?:[/?]|$)")),
    ("osf", re.compile(r"(?:psy|soc|ed|law)arxiv\.com/([a-z0-9]{5})(?:[/?]|$)")),
    ("ojs", re.compile(r"://(?:www\.)?([^?]{1,500})/article/(?:view|download|viewfile)/(\d+)")),
    ("handle", re.compile(r"(?:handle\.net|/handle|/bitstream)/(?!123456789/)(\d{4,}(?:\.\d+)*/[\w.-]+)")),
    ("core", re.compile(r"core\.ac\.uk/(?:download(?:/pdf)?|display|reader|outputs)/(\d+)")),
    ("proquest", re.compile(r"proquest\.com/(?:.{0,500}/)?docview/(\d+)")),
    ("openedition", re.compile(r"openedition\.org/(\w+)/(?:pdf/)?(\d+)")),
    ("oup", re.compile(r"academic\.oup\.com/([\w-]+)/article(?:-abstract|-pdf)?/(\d+/[\w-]+/\w+)")),
    ("cambridge", re.compile(r"cambridge\.org/core/.{0,500}/([0-9a-f]{10,})(?:/|$)")),
    ("ieee", re.compile(r"ieeexplore\.ieee\.org/(?:.{0,500}/)?document/(\d+)")),
    ("ieee", re.compile(r"ieeexplore\.ieee\.org/.{0,500}[?&]arnumber=(\d+)")),
    ("hal", re.compile(r"/((?:hal|tel|halshs|inserm|inria|cel|dumas|ird|pasteur)-\d{6,})(?:v\d+)?(?:\D|$)")),
    ("dialnet", re.compile(r"dialnet\.unirioja\.es/servlet/(?:articulo|libro|tesis)\?(?:.{0,500}&)?codigo=(\d+)")),
    ("dialnet", re.compile(r"dialnet\.unirioja\.es/descarga/(?:articulo|libro|tesis)/(\d+)")),
    ("scielo", re.compile(r"scielo[^?]{0,500}\?(?:.{0,500}&)?pid=(s[\dx-]{20,25})")),
    ("redalyc", re.compile(r"redalyc\.org/(?:articulo\.oa\?(?:.{0,500}&)?id=|journal/\d+/)(\d{8,})")),
    ("redalyc", re.compile(r"redalyc\.org/pdf/(?:\d+/)*(\d{8,})\.pdf")),
    ("boe", re.compile(r"boe\.es/.{0,500}\b(boe-[a-z]-\d{4}-\d+)")),
    ("celex", re.compile(r"eur-lex\.europa\.eu/.{0,500}celex(?::|%3a|=)([\da-z()]+)")),
    (
        "youtube",
        re.compile(r"youtube(?:-nocookie)?\.com/(?:watch\?(?:.{0,500}&)?v=|embed/|shorts/|live/|v/)([\w-]{11})"),
    ),
    ("youtube", re.compile(r"youtu\.be/([\w-]{11})")),
    (
        "google books",
        re.compile(r"books\.google\.[a-z.]{1,40}/books(?:/[^?]{0,500})?\?(?:.{0,500}&)?id=([\w-]{12})"),
    ),
    ("google books", re.compile(r"google\.[a-z.]{1,40}/books/edition/[^/]{1,500}/([\w-]{12})")),
    ("semantic scholar", re.compile(r"semanticscholar\.org/paper/(?:[^/]{1,500}/)?([0-9a-f]{40})")),
    ("researchgate", re.compile(r"researchgate\.net/publication/(\d+)")),
)
#: Collections whose identifiers are case-sensitive.
_CASED = frozenset({"youtube", "google books"})
#: Collections that may hold the same work under several numbers.
_SEVERAL_NUMBERS = frozenset(
    {"google books", "semantic scholar", "researchgate", "youtube", "pii", "zenodo", "figshare", "ojs", "handle"}
    | {"core", "proquest", "osf"}
)


def doi_of_address(url: str) -> str | None:
    """Return the DOI, in lower case, given by the URL of a publisher's page or by a query parameter, or None."""
    address = unquote(url).lower().split("#")[0]
    for pattern, doi in _DOI_PAGES:
        if match := pattern.search(address.split("?")[0]):
            return doi.format(match[1])
    handed_on = [
        value.lower() for name, value in parse_qsl(urlsplit(url).query) if name.lower() in _DOI_PARAMETERS
    ]
    return next((value for value in handed_on if _DOI.match(value)), None)


def without_preprint_version(doi: str) -> str:
    """Return the DOI without a version suffix if it is that of a preprint server; any other DOI unchanged."""
    match = _PREPRINT_VERSION.match(doi)
    return match[1] if match else doi


def collection_ids(*addresses: str | None) -> dict[str, str]:
    """Return the identifiers found in URLs and DOIs, by collection ("arxiv", "pmid", "jstor" …)."""
    found: dict[str, str] = {}
    for address in filter(None, addresses):
        plain = unquote(address).split("#")[0]
        for collection, pattern in _COLLECTIONS:
            if match := pattern.search(plain.lower()):
                text = plain if collection in _CASED and len(plain) == len(plain.lower()) else plain.lower()
                found.setdefault(collection, _number(collection, text, match))
    return found


def numbers_contradict(collection: str) -> bool:
    """Return whether different numbers in the collection mean different works."""
    return collection not in _SEVERAL_NUMBERS


def _number(collection: str, text: str, match: re.Match[str]) -> str:
    number = " ".join(text[slice(*match.span(group))] for group in range(1, (match.re.groups or 0) + 1))
    if collection == "pii":
        return re.sub(r"[()-]", "", number)
    return number.replace("/index.php", "") if collection == "ojs" else number
