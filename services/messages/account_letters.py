"""What mails about accounts say; the links in them are never stored."""

from __future__ import annotations

from core.messages import MessageCode


class AccountLetter(MessageCode):
    """Subjects and texts of mails about accounts."""

    INVITED_SUBJECT = "letter_invited_subject", "Your Second Reader account"
    INVITED = (
        "letter_invited",
        "Hello,\n\n%(who)s has invited you to Second Reader, where contest entries are read and "
        "reviewed.\n\nChoose your password here:\n\n%(link)s\n\nThe link works once, until "
        "%(date)s. If you were not expecting this e-mail, you can ignore it.",
    )
    RESET_SUBJECT = "letter_reset_subject", "Your new password for Second Reader"
    RESET = (
        "letter_reset",
        "Hello,\n\nSomeone asked to reset the Second Reader password for this address.\n\nChoose a "
        "new password here:\n\n%(link)s\n\nThe link works once, within %(hours)s hours. Your old "
        "password works until you use it. If you did not ask for this, you can ignore this e-mail.",
    )
    NOT_SENT = (
        "letter_not_sent",
        "The mail server asked us to try again later, so the message was not sent. Send it again "
        "in a few minutes.",
    )
    TRIAL_SUBJECT = "letter_trial_subject", "Second Reader can send e-mail"
    TRIAL = (
        "letter_trial",
        "Hello,\n\nThis is a test from the setup of Second Reader: it can send e-mail. Links in "
        "its messages begin with\n\n%(link)s\n\nIf that address does not open the site, have "
        "PUBLIC_URL set correctly.",
    )
