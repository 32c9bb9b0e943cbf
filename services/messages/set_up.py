"""Message codes of the set-up."""

from __future__ import annotations

from core.messages import MessageCode


class SetUpTold(MessageCode):
    """What became of a step, beside what the checks of the doctor find."""

    RULES_ALONE = (
        "set_up_rules_alone",
        "Rules only: no model is used. Whatever the rules leave open goes to a person.",
    )
    MAIL_SENT = (
        "set_up_mail_sent",
        "The mail server accepted the message. Check whether it arrived, and in which folder.",
    )
    MAIL_FAILS = "set_up_mail_fails", "The message could not be sent. %(problem)s"
    MAIL_NONE = (
        "set_up_mail_none",
        "No mail server is set up: an admin has to pass on the links for invitations and new passwords.",
    )
