"""Message codes of conflicts with the decision of another person."""

from __future__ import annotations

from core.labels import LabelledEnum
from core.messages import MessageCode


class Deed(LabelledEnum, places=("deed",)):
    """What another person did with a pending item."""

    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"
    RESOLVED = "resolved", "resolved"
    SUPERSEDED = "superseded", "replaced"
    ACCEPTED = "accepted", "accepted"
    EDITED = "edited", "edited"
    APPLIED = "applied", "applied"
    WITHDRAWN = "withdrawn", "withdrawn"
    SETTLED = "settled", "settled"


class Item(LabelledEnum, places=("item",)):
    """Kinds of items that people hold and decide."""

    SUGGESTION = "suggestion", "proposal"
    ESCALATION = "escalation", "escalation"
    REVISION = "revision", "revision"
    ENTRY = "entry", "entry"
    AUDIT = "audit", "audit"
    SEASON = "season", "season"
    PAIR = "pair", "pair of entries"


class Conflict(MessageCode):
    """Why a decision came too late."""

    DECIDED = "decided", "%(deed)s by %(who)s"
    OPEN_ELSEWHERE = "open_elsewhere", "%(who)s has this %(item)s open"
    ONE_OPEN_ELSEWHERE = "one_open_elsewhere", "%(who)s has one of these entries open"
    CHANGED = "changed", "the %(item)s has changed since you opened this page"
    ENTRY_DONE = "entry_done", "%(event)s by %(who)s"
    ENTRY_OF_SEVERAL = "entry_of_several", "%(name)s: %(problem)s"
    NAMELESS_OF_SEVERAL = "nameless_of_several", "an entry without a name: %(problem)s"
    NEW_ENTRY_DONE = "new_entry_done", "a new entry: %(event)s by %(who)s"
    ENTRY_NOT_WAITING = (
        "entry_not_waiting",
        "the entry has the status “%(entry_status)s”; reopen it or wait until it has been read",
    )
    ENTRY_NOT_SETTLED = ("entry_not_settled", "the entry has the status “%(entry_status)s” and is not settled")
    UNDONE = "undone_by", "undone by %(who)s"
    TAKEN_BACK = "taken_back_by", "undone by %(who)s"
    WITHDRAWN = "revision_withdrawn", "the supervision has ended, and the revision was withdrawn"
    BEING_WORKED_ON = (
        "being_worked_on",
        "this entry, its file, or a report on it is being processed right now; nothing was "
        "changed, try again in a minute",
    )
    MAIL_GONE = "mail_gone", "this e-mail is being sent or is no longer waiting; check its current status"
    FILE_BEING_READ = (
        "file_being_read",
        "the file is still being split into entries; try again when that is done",
    )
    REPLACED_BY_OTHERS = (
        "replaced_by_others",
        ("this entry was replaced by others with the same pages; erase those, and this one is erased with them"),
    )
