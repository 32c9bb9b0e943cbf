"""What mails about accounts say; the links in them are never stored."""

from __future__ import annotations

from core.messages import MessageCode


class AccountLetter(MessageCode):
    """Subjects and texts of mails about accounts."""

    INVITED_SUBJECT = "letter_invited_subject", "Your account at Second Reader"
    INVITED = (
        "letter_invited",
        "Hello,\n\n%(who)s invites you to Second Reader, where entries are read and decided.\n\n"
        "Choose your password here:\n\n%(link)s\n\n"
        "The link works once, until %(date)s. If you do not expect this mail, leave it alone: nothing happens.",
    )
    RESET_SUBJECT = "letter_reset_subject", "A new password for Second Reader"
    RESET = (
        "letter_reset",
        "Hello,\n\nsomebody asks for a new password for this address at Second Reader.\n\n"
        "Choose it here:\n\n%(link)s\n\n"
        "The link works once, for %(hours)s hours. Until it is used, your old password works. If it was not you "
        "who asked, leave this mail alone: nothing happens.",
    )
    NOT_SENT = (
        "letter_not_sent",
        "The mail server wants the mail later, so that it was not sent. Send it again in some minutes.",
    )
    TRIAL_SUBJECT = "letter_trial_subject", "Second Reader can send mails"
    TRIAL = (
        "letter_trial",
        "Hello,\n\nthis is a trial from the set-up of Second Reader: it can send mails. Links in them begin "
        "with\n\n"
        "%(link)s\n\nIf this address does not open the site, have PUBLIC_URL set.",
    )
