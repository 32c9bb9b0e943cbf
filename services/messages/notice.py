"""Message codes of mails: notices of batches."""

from __future__ import annotations

from core.messages import MessageCode


class NoticeText(MessageCode):
    """What a notice says. It names no child."""

    HELLO = "notice_hello", "Hello,"
    DONE_SUBJECT = "notice_done_subject", "Done: the entries that you handed in on %(date)s"
    DONE = (
        "notice_done",
        "what you handed in on %(date)s is done: nothing of it waits any more.",
    )
    WAITS_SUBJECT = "notice_waits_subject", "The entries that you handed in on %(date)s wait for people"
    WAITS = "notice_waits", "what you handed in on %(date)s has been read, and some of it needs a person."
    ANY_WAITS_SUBJECT = "notice_any_waits_subject", "Entries handed in on %(date)s wait for people"
    ANY_WAITS = "notice_any_waits", "entries that were handed in on %(date)s have been read and need a person."
    COUNTS = (
        "notice_counts",
        "Entries: %(entries)s. Complete: %(complete)s. For a person: %(waiting)s. Could not be read: %(failed)s. "
        "Rejected: %(rejected)s.",
    )
    LINK = "notice_link", "You find them here:"
    WHY = "notice_why", "You get this because you want to hear of it. You can change that on your own page."
