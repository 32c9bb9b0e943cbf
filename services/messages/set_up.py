"""Message codes of the set-up."""

from __future__ import annotations

from core.messages import MessageCode


class SetUpTold(MessageCode):
    """What became of a step, beside what the checks of the doctor find."""

    RULES_ALONE = "set_up_rules_alone", "Rules alone: no model is asked. What they leave open goes to a person."
    MAIL_SENT = (
        "set_up_mail_sent",
        "The mail server took the mail. Look whether it has come, and into which folder.",
    )
    MAIL_FAILS = "set_up_mail_fails", "The mail could not be sent. %(problem)s"
    MAIL_NONE = (
        "set_up_mail_none",
        "No mail server is set up: invitations and new passwords are links that an admin passes on.",
    )
