"""Message codes of mails: notices of batches."""

from __future__ import annotations

from core.messages import MessageCode


class NoticeText(MessageCode):
    """What a notice says. It names no child."""

    HELLO = "notice_hello", "Hello,"
    DONE_SUBJECT = "notice_done_subject", "Finished: the entries you uploaded on %(date)s"
    DONE = (
        "notice_done",
        "Your upload of %(date)s is finished: nothing in it is waiting.",
    )
    WAITS_SUBJECT = "notice_waits_subject", "The entries you uploaded on %(date)s are waiting for a person"
    WAITS = "notice_waits", "Your upload of %(date)s has been read, and part of it needs a person."
    ANY_WAITS_SUBJECT = "notice_any_waits_subject", "Entries uploaded on %(date)s are waiting for a person"
    ANY_WAITS = "notice_any_waits", "The entries uploaded on %(date)s have been read and need a person."
    COUNTS = (
        "notice_counts",
        "Entries: %(entries)s. Complete: %(complete)s. Waiting for a person: %(waiting)s. Could "
        "not be read: %(failed)s. Rejected: %(rejected)s.",
    )
    LINK = "notice_link", "See them here:"
    WHY = (
        "notice_why",
        ("You are receiving this because you asked for these notices. You can change that on your account page."),
    )
