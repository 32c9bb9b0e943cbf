"""Pairs of references: of one work in two spellings, and of two similar works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from lab.bench.research.citing.passages import DATA

Reference = dict[str, str | None]

GENERIC = (
    "Introduction",
    "Editorial",
    "Annual report",
    "Informe anual",
    "Preface",
    "Book review",
    "Home",
    "Resumen",
)


@dataclass(frozen=True)
class Work:
    """A title with the ways it is written, the titles of other works that are like it, and identifiers."""

    number: int
    title: str
    spellings: tuple[str, ...]
    lookalikes: tuple[str, ...]

    @property
    def doi(self) -> str:
        """Return a DOI with an unassigned prefix."""
        stem = ("Herons", "trial", "j.x", "s0012-")[self.number % 4]
        return f"10.5555/{stem}.{2000 + self.number}({self.number})Ab"

    @property
    def url(self) -> str:
        """A page at a made-up press."""
        return f"https://press{self.number % 7}.example.org/works/{1000 + self.number * 7}/{self.slug}"

    @property
    def slug(self) -> str:
        """Of the title's first words."""
        return "-".join("".join(c for c in word if c.isascii() and c.isalnum()) for word in self.title.split()[:4])

    @property
    def isbn(self) -> str:
        """Thirteen digits, the last of which checks the others."""
        stem = f"97800{self.number:03d}{(self.number * 7919) % 10_000:04d}"
        return stem + str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(stem)) % 10)


def labelled_pairs(random: Random) -> Iterator[tuple[str, Reference, Reference, bool]]:
    """Kind, two references, and whether they are of one work."""
    works = read_works()
    for work in works:
        yield from _same(work, random)
        yield from _different(work, works, random)
    for number, title in enumerate(GENERIC):
        yield (
            "generic title",
            _of(title, url=f"https://a{number}.example.org/x"),
            _of(title, url="https://b.example.org/y"),
            False,
        )
        yield "generic title", _of(title), _of(title, url=f"https://b.example.org/{number}"), False
    yield from written_pairs()
    yield "nothing", {}, {}, False
    yield "nothing", _of(None), _of(None), False
    yield "nothing", _of(""), _of(" "), False


def written_pairs() -> Iterator[tuple[str, Reference, Reference, bool]]:
    """Those written out one by one: addresses of real hosts, look-alike titles, nothing at all."""
    for line in (DATA / "pairs.txt").read_text(encoding="utf-8").splitlines()[1:]:
        label, first, second = line.split("||")
        yield "written", _written(first), _written(second), label.strip() == "y"


def _written(text: str) -> Reference:
    names = {"t": "title", "u": "url", "d": "doi", "i": "isbn"}
    fields = [field.strip().partition("=") for field in text.split("|") if field.strip()]
    return _of(None) | {names[letter]: value or None for letter, _, value in fields}


def read_works() -> list[Work]:
    """All of them."""
    works: list[Work] = []
    for line in (DATA / "works.txt").read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "=":
            works[-1] = _more(works[-1], spelling=rest)
        elif kind == "!":
            works[-1] = _more(works[-1], lookalike=rest)
        elif kind != "#":
            works.append(Work(len(works), line, (), ()))
    return works


def _more(work: Work, spelling: str | None = None, lookalike: str | None = None) -> Work:
    spellings = (*work.spellings, *([spelling] if spelling else []))
    lookalikes = (*work.lookalikes, *([lookalike] if lookalike else []))
    return Work(work.number, work.title, spellings, lookalikes)


def _of(title: str | None, **fields: str | None) -> Reference:
    return {"title": title, "url": None, "doi": None, "isbn": None, **fields}


def _same(work: Work, random: Random) -> Iterator[tuple[str, Reference, Reference, bool]]:
    for spelling in work.spellings:
        yield "title", _of(work.title), _of(spelling), True
        yield "title", _of(work.title, doi=work.doi), {"title": spelling, "url": work.url}, True
    for doi in random.sample(_dois(work.doi), k=3):
        yield (
            "doi",
            _of(work.title, doi=work.doi),
            _of(random.choice([None, work.title, "Untitled"]), doi=doi),
            True,
        )
    yield "doi in url", _of(work.title, doi=work.doi), _of(None, url=f"https://doi.org/{work.doi}"), True
    for isbn in random.sample(_isbns(work.isbn), k=2):
        yield "isbn", _of(work.title, isbn=work.isbn), _of(random.choice([None, work.title]), isbn=isbn), True
    for url in random.sample(_urls(work.url), k=4):
        yield "url", _of(work.title, url=work.url), _of(random.choice([None, work.title]), url=url), True
    yield (
        "preprint",
        _of(work.title, url=f"https://arxiv.org/abs/2001.{work.number:05d}v2"),
        _of(work.title, doi=work.doi),
        True,
    )
    yield (
        "arxiv",
        _of(None, url=f"https://arxiv.org/abs/2001.{work.number:05d}v2"),
        _of(None, url=f"http://arxiv.org/pdf/2001.{work.number:05d}.pdf"),
        True,
    )
    yield "wrong isbn", _of(work.title, isbn="978-0-00-000000-1"), _of(work.title, isbn=work.isbn), True


def _different(work: Work, works: list[Work], random: Random) -> Iterator[tuple[str, Reference, Reference, bool]]:
    other = random.choice([one for one in works if one is not work])
    for lookalike in work.lookalikes:
        yield "lookalike", _of(work.title), _of(lookalike), False
        yield "lookalike", _of(work.title, doi=work.doi), _of(lookalike, url=work.url), False
    yield (
        "two dois",
        _of(work.title, doi=work.doi),
        _of(work.title, doi=work.doi.replace("10.5555", "10.55555")),
        False,
    )
    yield "two isbns", _of(work.title, isbn=work.isbn), _of(work.title, isbn=other.isbn), False
    yield "two works", _of(work.title, url=work.url), _of(other.title, url=other.url), False
    yield "two works", _of(work.title), _of(other.title, isbn=work.isbn), False
    site = work.url.split("/works")[0]
    yield "one site", _of(work.title, url=f"{site}/?id=1"), _of(other.title, url=f"{site}/?id=2"), False
    yield "home page", _of(work.title, url=site), _of(other.title, url=f"{site}/"), False
    yield (
        "pubmed",
        _of(work.title, url=f"https://pubmed.ncbi.nlm.nih.gov/{work.number}1/"),
        _of(work.title, url=f"https://pubmed.ncbi.nlm.nih.gov/{work.number}2/"),
        False,
    )


def _dois(doi: str) -> list[str]:
    quoted = doi.replace("/", "%2F").replace("(", "%28").replace(")", "%29")
    return [
        f"https://doi.org/{doi}",
        f"http://dx.doi.org/{doi.upper()}",
        f"doi:{doi}",
        f"DOI: {doi.lower()}.",
        f"{doi};",
        f"https://doi.org/{quoted}",
        f"  {doi.upper()}  ",
        f"https://www.doi.org/{doi}?utm_source=x",
        f"({doi})",
    ]


def _isbns(isbn: str) -> list[str]:
    nine = isbn[3:12]
    check = -sum((10 - i) * int(d) for i, d in enumerate(nine)) % 11
    ten = nine + ("X" if check == 10 else str(check))
    return [
        f"{isbn[:3]}-{isbn[3]}-{isbn[4:7]}-{isbn[7:12]}-{isbn[12]}",
        ten,
        f"ISBN {isbn}",
        f"{ten[0]}-{ten[1:5]}-{ten[5:9]}-{ten[9]}",
        f"ISBN-13: {isbn[:3]} {isbn[3:]}",
        f"ISBN-10: {ten.lower()} (pbk.)",
    ]


def _urls(url: str) -> list[str]:
    host = url.removeprefix("https://")
    return [
        f"http://{host}/",
        f"https://www.{host}",
        f"{url}?utm_source=news&utm_medium=mail",
        f"{url}#results",
        f"{url}?fbclid=Iw1",
        f"HTTPS://{host.split('/')[0].upper()}/{host.split('/', 1)[1]}",
        f"{url}/index.html",
        f"https://{host.replace('/', ':443/', 1)}",
        f"https://m.{host}",
        f"{url}/amp/",
        f"https://web.archive.org/web/20200101000000/{url}",
        host,
        url.replace("/works/", "//works/"),
        url.replace("-", "%2d"),
    ]
