"""The form to request a report: it keeps the typed values and has a message for each invalid one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from core.labels import keys_of
from research.config import TIERS
from research.labels import ReportLanguage
from research.questions.catalog_fields import MAX_FIELDS
from services.reports.request_report import KINDS, LONGEST_FIELD, LONGEST_QUERY, MOST_ITEMS
from web.research.understood import as_shown

MOST_DOMAINS = 50
#: Limit of researchers in a round, of all kinds together.
MOST_RESEARCHERS = 3
AUTOMATIC, CHOSEN = "automatic", "chosen"
#: Largest limit of each resource of the budget, and whether it may have decimals.
LIMITS: dict[str, tuple[float, bool]] = {
    "minutes": (24 * 60, False),
    "calls": (10_000, False),
    "tokens": (100_000_000, False),
    "usd": (10_000, True),
}
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")


@dataclass
class RequestForm:
    """The typed values, the request that they mean, and errors."""

    typed: MultiDict[str, str]
    #: Messages that say what to do, by field.
    errors: dict[str, str] = field(default_factory=dict)
    query: str = ""
    #: None: detect it from the query.
    report_type: str | None = None
    #: Of a catalog; None: as many as the question names.
    target_items: int | None = None
    #: Of a catalog's items, as typed; empty: those of the question.
    fields: tuple[str, ...] = ()
    tier: str = "standard"
    #: None: the language of the query.
    language: str | None = None
    kinds: tuple[str, ...] = KINDS
    #: Empty: all enabled ones.
    providers: tuple[str, ...] = ()
    #: Three digits, or None for an automatic allocation.
    allocation: str | None = None
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()
    approve_plan: bool = False
    #: None: depending on the tier.
    supervise: bool | None = None
    budget: dict[str, float] = field(default_factory=dict)


def read_request(typed: MultiDict[str, str], providers_on: tuple[str, ...]) -> RequestForm:
    """Read all of the form; `errors` is empty if it is valid."""
    form = RequestForm(typed)
    for step in (_question, _choices, _kinds, _allocation, _domains, _budget):
        step(form)
    _providers(form, providers_on)
    form.approve_plan = typed.get("approve_plan") == "yes"
    form.supervise = None if typed.get("supervise") == "yes" else False
    return form


def _question(form: RequestForm) -> None:
    form.query = " ".join(form.typed.get("query", "").split())
    if not any(char.isalpha() for char in form.query):
        form.errors["query"] = _("Write the question that the report should answer.")
    elif len(form.query) > LONGEST_QUERY:
        form.errors["query"] = _(
            "The question has %(length)d characters; shorten it to %(most)d.",
            length=len(form.query),
            most=LONGEST_QUERY,
        )


def _choices(form: RequestForm) -> None:
    wanted = form.typed.get("report_type", "")
    form.report_type = wanted if wanted in ("narrative", "catalog") else None
    if (tier := form.typed.get("tier", form.tier)) in TIERS:
        form.tier = tier
    if form.report_type != "narrative":
        _catalog(form)
    language = form.typed.get("language", "")
    form.language = language if language in keys_of(ReportLanguage) else None


def _catalog(form: RequestForm) -> None:
    items = form.typed.get("target_items", "").strip()
    if items:
        form.target_items = int(items) if re.fullmatch(r"[0-9]{1,3}", items, re.ASCII) else 0
        if not 1 <= form.target_items <= MOST_ITEMS:
            form.errors["target_items"] = _("Type a whole number from 1 to %(most)d.", most=MOST_ITEMS)
    form.fields = tuple(as_shown(form.typed, "fields").splitlines())
    if len(form.fields) > MAX_FIELDS:
        form.errors["fields"] = _("Name at most %(most)d fields.", most=MAX_FIELDS)
    elif long := next((field for field in form.fields if len(field) > LONGEST_FIELD), None):
        form.errors["fields"] = _(
            "“%(field)s…” is too long; a field has at most %(most)d characters.",
            field=long[:40],
            most=LONGEST_FIELD,
        )


def _kinds(form: RequestForm) -> None:
    form.kinds = tuple(kind for kind in KINDS if kind in form.typed.getlist("kind"))
    if not form.kinds:
        form.errors["kinds"] = _("Choose at least one kind of source.")


def _providers(form: RequestForm, on: tuple[str, ...]) -> None:
    chosen = tuple(name for name in on if name in form.typed.getlist("provider"))
    if on and not chosen:
        form.errors["providers"] = _("Choose at least one provider.")
    form.providers = () if chosen == on else chosen


def _allocation(form: RequestForm) -> None:
    if form.typed.get("allocation", AUTOMATIC) != CHOSEN:
        return
    counts = {kind: form.typed.get(f"allocation_{kind}", "").strip() or "0" for kind in KINDS}
    if problem := counts_problem(counts):
        form.errors["allocation"] = problem
    elif any(count != "0" and kind not in form.kinds for kind, count in counts.items()):
        form.errors["allocation"] = _("A researcher is sent to a kind of source that is not chosen above.")
    else:
        form.allocation = "".join(counts.values())


def counts_problem(counts: Mapping[str, str]) -> str | None:
    """Return why these numbers of researchers are invalid for a round; None if they are valid."""
    if any(count not in ("0", "1", "2", "3") for count in counts.values()):
        return _("Type whole numbers from 0 to 3.")
    total = sum(map(int, counts.values()))
    if total == 0:
        return _("Send at least one researcher.")
    if total > MOST_RESEARCHERS:
        return _("At most three researchers can work at a time; you chose %(total)d.", total=total)
    return None


def _domains(form: RequestForm) -> None:
    form.domains_allowed = _hosts(form, "domains_allowed")
    form.domains_denied = _hosts(form, "domains_denied")
    if both := sorted({*form.domains_allowed} & {*form.domains_denied}):
        form.errors.setdefault(
            "domains_denied",
            _("%(domain)s is both allowed and excluded; remove it from one list.", domain=both[0]),
        )


def _hosts(form: RequestForm, name: str) -> tuple[str, ...]:
    """Return the domains in a field, separated by white space, commas or semicolons; of a URL, its host."""
    found = []
    for word in re.split(r"[\s,;]+", form.typed.get(name, "").lower()):
        host = re.sub(r"^[a-z]+://", "", word).partition("/")[0].partition(":")[0].removeprefix("*.").strip(".")
        if not host:
            continue
        if not _HOST.fullmatch(host):
            form.errors[name] = _("%(domain)s is not a domain; write it like example.org.", domain=word[:80])
            return ()
        found.append(host)
    if len(found) > MOST_DOMAINS:
        form.errors[name] = _("Name at most %(most)d domains.", most=MOST_DOMAINS)
    return tuple(dict.fromkeys(found))


def _budget(form: RequestForm) -> None:
    form.budget = budget_of(form.typed, form.errors)


def budget_of(typed: Mapping[str, str], errors: dict[str, str]) -> dict[str, float]:
    """Return the typed limits; set `errors` for invalid ones."""
    budget: dict[str, float] = {}
    for name, (most, decimals) in LIMITS.items():
        text = typed.get(f"budget_{name}", "").strip().replace(",", ".")
        if not text:
            continue
        value = _number(text, float if decimals else int)
        if value is None or not 0 < value <= most:
            errors[f"budget_{name}"] = (
                _("Type a number above 0, up to %(most)d.", most=most)
                if decimals
                else _("Type a whole number from 1 to %(most)d.", most=most)
            )
        else:
            budget[name] = value
    return budget


def _number(text: str, kind: Callable[[str], float]) -> float | None:
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", text, re.ASCII):
        return None
    try:
        return kind(text)
    except ValueError:
        return None
