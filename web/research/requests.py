"""Request a report: the form, how its question is understood, the enabled providers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from core.messages import Message, keys_of
from research.config import TIERS, Language
from research.labels import ReportLanguage
from research.questions.catalog_fields import MAX_FIELDS, requested_field_labels
from research.report_type import ReportType, detect_report_type, target_items
from research.sources.providers import open_sources
from research.supervision.types import TIERS as SUPERVISION_TIERS
from research.text.language import detect_language
from services.context import Context
from services.library.documents import documents_being_read
from services.reports.request import (
    KINDS,
    LONGEST_FIELD,
    LONGEST_QUERY,
    MOST_ITEMS,
    SUPERVISED_TIERS,
    ReportRequest,
    expected_use,
    request_report,
)
from web.access import get_context, get_person
from web.labels import problem_sentence
from web.research import blueprint


@blueprint.get("/new", "researcher")
def new() -> ResponseReturnValue:
    """Show the form, filled from the query parameters and from the question."""
    return _page(RequestForm(filled(MultiDict(request.args))), first=True)


@blueprint.post("/new", "researcher")
def ask() -> ResponseReturnValue:
    """Request the report; if the question changed, first show how it was understood."""
    form = read_request(request.form, providers(get_context()).on)
    if form.errors:
        form.typed = filled(form.typed)
        return _page(form), InvalidInputError.http_status
    # Without a model there is nothing to confirm: every kind of report becomes a reading list.
    if get_context().settings.model_configured and question_of(form.typed, "read") != form.request.query:
        form.typed = filled(form.typed)
        return _page(form, to_check=True)
    try:
        report_id = request_report(get_context(), get_person().id, _request(form.request))
    except InvalidInputError as error:
        return _page(form, problem=problem_sentence(error)), error.http_status
    asked = form.request
    flash(detected_sentence(asked.query, asked.report_type, asked.target_items), "success")
    return redirect(url_for("research.report", report_id=report_id))


@blueprint.get("/detected", "researcher")
def detected() -> ResponseReturnValue:
    """Return the type of report that a query asks for, while it is typed."""
    query, chosen = question_of(request.args), request.args.get("report_type")
    found = detect_report_type(query, _explicit(chosen))
    return jsonify(
        report_type=found.value,
        target_items=target_items(query),
        sentence=detected_sentence(query, chosen),
        understood=asdict(understand(query)),
    )


def detected_sentence(query: str, chosen: str | None, items: int | None = None) -> str:
    """Return a sentence about the expected report; "" without a query. `items`: None for the query's number."""
    if not query.strip():
        return ""
    if not get_context().settings.model_configured:
        return _("You will get a reading list: the passages that answer, by what the question asks.")
    return _sentence(detect_report_type(query, _explicit(chosen)), items or target_items(query))


def _sentence(kind: str | None, count: int | None) -> str:
    if kind == ReportType.NARRATIVE:
        return _("This will be a narrative: sections of text.")
    if count is None:
        return _("This will be a catalog: a table of items with evidence.")
    return ngettext(
        "This will be a catalog of one item, with evidence.",
        "This will be a catalog of %(num)d items, with evidence for each.",
        count,
    )


def _explicit(chosen: str | None) -> ReportType | None:
    return ReportType(chosen) if chosen in tuple(ReportType) else None


def _request(request: ReportRequest) -> ReportRequest:
    """Return the request without what was only filled in from the question; a model may find better fields."""
    understood = understand(request.query)
    return replace(
        request,
        report_type=None if request.report_type == understood.report_type else request.report_type,
        fields=() if list(request.fields) == understood.fields.splitlines() else request.fields,
    )


def _page(form: RequestForm, first: bool = False, problem: str | None = None, to_check: bool = False) -> str:
    """Render the form.

    `first`: nothing was typed yet, so all kinds and providers are selected. `to_check`: ask the person to check
    the values filled in from the question.
    """
    typed, offered = form.typed, providers(get_context())
    return render_template(
        "research/new.html",
        typed=typed,
        errors=form.errors,
        problem=problem,
        to_check=to_check,
        changed=changed_names(typed),
        detected=detected_sentence(typed.get("query", ""), typed.get("report_type")),
        kinds=KINDS,
        chosen_kinds=KINDS if first else typed.getlist("kind"),
        providers=offered.on,
        off=offered.off,
        chosen_providers=offered.on if first else typed.getlist("provider"),
        tiers={tier: expected_use(get_context().settings, tier) for tier in TIERS},
        attempts={tier: SUPERVISION_TIERS[tier].max_iterations for tier in SUPERVISED_TIERS},
        supervised=first or typed.get("supervise") == "yes",
        report_languages=keys_of(ReportLanguage),
        limits=LIMITS,
        most_fields=MAX_FIELDS,
        being_read=documents_being_read(get_context()),
        budgeted=any(typed.get(f"budget_{name}") for name in LIMITS),
    )


# The form to request a report, with the typed values and a message for each invalid one.


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
    request: ReportRequest = field(default_factory=lambda: ReportRequest(""))


def read_request(typed: MultiDict[str, str], providers_on: tuple[str, ...]) -> RequestForm:
    """Read all of the form; `errors` is empty if it is valid."""
    form = RequestForm(typed)
    wanted, language = typed.get("report_type", ""), typed.get("language", "")
    allowed, denied = _domains(form)
    form.request = ReportRequest(
        query=_question(form),
        report_type=wanted if wanted in ("narrative", "catalog") else None,
        target_items=None if wanted == "narrative" else _items(form),
        fields=() if wanted == "narrative" else _fields(form),
        tier=typed["tier"] if typed.get("tier") in TIERS else "standard",
        language=language if language in keys_of(ReportLanguage) else None,
        kinds=_kinds(form),
        providers=_providers(form, providers_on),
        allocation=_allocation(form),
        domains_allowed=allowed,
        domains_denied=denied,
        approve_plan=typed.get("approve_plan") == "yes",
        supervise=None if typed.get("supervise") == "yes" else False,
        budget=typed_limits(typed, form.errors),
    )
    return form


def _question(form: RequestForm) -> str:
    query = " ".join(form.typed.get("query", "").split())
    if not any(char.isalpha() for char in query):
        form.errors["query"] = _("Write the question that the report should answer.")
    elif len(query) > LONGEST_QUERY:
        form.errors["query"] = _(
            "The question has %(length)d characters; shorten it to %(most)d.",
            length=len(query),
            most=LONGEST_QUERY,
        )
    return query


def _items(form: RequestForm) -> int | None:
    """Return the number of a catalog's items; None: as many as the question names."""
    text = form.typed.get("target_items", "").strip()
    if not text:
        return None
    items = int(text) if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) else 0
    if not 1 <= items <= MOST_ITEMS:
        form.errors["target_items"] = _("Type a whole number from 1 to %(most)d.", most=MOST_ITEMS)
    return items


def _fields(form: RequestForm) -> tuple[str, ...]:
    """Return the fields of a catalog's items, as typed; none: those of the question."""
    fields = tuple(as_shown(form.typed, "fields").splitlines())
    if len(fields) > MAX_FIELDS:
        form.errors["fields"] = _("Name at most %(most)d fields.", most=MAX_FIELDS)
    elif long := next((field for field in fields if len(field) > LONGEST_FIELD), None):
        form.errors["fields"] = _(
            "“%(field)s…” is too long; a field has at most %(most)d characters.",
            field=long[:40],
            most=LONGEST_FIELD,
        )
    return fields


def _kinds(form: RequestForm) -> tuple[str, ...]:
    kinds = tuple(kind for kind in KINDS if kind in form.typed.getlist("kind"))
    if not kinds:
        form.errors["kinds"] = _("Choose at least one kind of source.")
    return kinds


def _providers(form: RequestForm, on: tuple[str, ...]) -> tuple[str, ...]:
    """Return the chosen providers; none where all that are enabled are chosen."""
    chosen = tuple(name for name in on if name in form.typed.getlist("provider"))
    if on and not chosen:
        form.errors["providers"] = _("Choose at least one provider.")
    return () if chosen == on else chosen


def _allocation(form: RequestForm) -> str | None:
    """Return three digits, or None for an automatic allocation."""
    if form.typed.get("allocation", AUTOMATIC) != CHOSEN:
        return None
    counts = {kind: form.typed.get(f"allocation_{kind}", "").strip() or "0" for kind in KINDS}
    if problem := counts_problem(counts):
        form.errors["allocation"] = problem
    elif any(count != "0" and kind not in form.typed.getlist("kind") for kind, count in counts.items()):
        form.errors["allocation"] = _("A researcher is sent to a kind of source that is not chosen above.")
    return "".join(counts.values())


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


def _domains(form: RequestForm) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the allowed and the excluded domains."""
    allowed, denied = _hosts(form, "domains_allowed"), _hosts(form, "domains_denied")
    if both := sorted({*allowed} & {*denied}):
        form.errors.setdefault(
            "domains_denied",
            _("%(domain)s is both allowed and excluded; remove it from one list.", domain=both[0]),
        )
    return allowed, denied


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


def typed_limits(typed: Mapping[str, str], errors: dict[str, str]) -> dict[str, float]:
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


# The enabled providers of sources, and why the others are disabled.


@dataclass(frozen=True)
class Providers:
    """The enabled and disabled providers, for the form."""

    on: tuple[str, ...]
    #: Names, each with a message that says how to enable the provider.
    off: Sequence[tuple[str, Message]]


def providers(context: Context) -> Providers:
    opened = open_sources(context.settings, context.database, context.store)
    return Providers(tuple(source.name for source in opened.on), opened.off)


# How a question is understood, shown on the form before the research is planned.


@dataclass(frozen=True)
class Understood:
    """The form values that a question implies, as text."""

    report_type: str = "automatic"
    target_items: str = ""
    #: One per line.
    fields: str = ""

    def of(self, name: str) -> str:
        return str(getattr(self, name))


NAMES = ("report_type", "target_items", "fields")


def understand(query: str) -> Understood:
    """Return the form values that a question implies; the defaults for an empty one."""
    if not query:
        return Understood()
    kind, count = detect_report_type(query), target_items(query)
    if kind is ReportType.NARRATIVE:
        return Understood(kind.value)
    return Understood(kind.value, str(count or ""), "\n".join(requested_field_labels(query, _language(query))))


def _language(query: str) -> Language:
    return "es" if detect_language(query) == "es" else "en"


def question_of(typed: MultiDict[str, str], name: str = "query") -> str:
    """Return a question from the form with single spaces; `read` is the one that the values were filled for."""
    return " ".join(typed.get(name, "")[:2000].split())


def filled(typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return the form with the values its question implies, replacing empty ones and those of another question."""
    query = question_of(typed)
    before, now = understand(question_of(typed, "read")), understand(query)
    values = typed.copy()
    for name in NAMES:
        if as_shown(typed, name) in ("", "automatic", before.of(name)):
            values[name] = now.of(name)
    values["read"] = query
    return values


def changed_names(typed: MultiDict[str, str]) -> set[str]:
    """Return the names of the values that a person changed."""
    now = understand(question_of(typed, "read"))
    return {name for name in NAMES if as_shown(typed, name) not in ("", "automatic", now.of(name))}


def as_shown(typed: MultiDict[str, str], name: str) -> str:
    """Return a typed value without the line ends of browsers."""
    return "\n".join(line.strip() for line in typed.get(name, "").splitlines() if line.strip())
