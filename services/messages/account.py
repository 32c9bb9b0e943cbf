"""Message codes of refused values for accounts and tokens."""

from __future__ import annotations

from core.messages import MessageCode


class AccountRefused(MessageCode):
    """Why an account, a password or a token was refused."""

    TOKEN_NAME = "token_name", "Give the token a name of at most %(limit)s characters."
    TOKEN_DAYS = "token_days", "A token can be valid for 1 to %(limit)s days."
    TOO_MANY_TOKENS = "too_many_tokens", "You have too many tokens. Revoke one that you no longer use."
    TOKEN_SCOPES = "token_scopes", "Choose at least one permission for the token."
    ADDRESS_TAKEN = "address_taken", "An account with this e-mail address already exists."
    JUST_INVITED = "just_invited", "Someone has just invited this person."
    NOT_AN_ADDRESS = "not_an_address", "This is not a valid e-mail address."
    NAME_TOO_LONG = "name_too_long", "The name may have at most %(limit)s characters."
    PASSWORD_TOO_SHORT = "password_too_short", "The password needs at least %(limit)s characters."
    PASSWORD_TOO_LONG = "password_too_long", "The password may have at most %(limit)s characters."
    PASSWORD_IS_ADDRESS = "password_is_address", "The password must not be the same as the e-mail address."
    PASSWORD_REPEATS = "password_repeats", "The password uses too few different characters."
    PASSWORD_COMMON = (
        "password_common",
        "This password is easy to guess. Use three or four unrelated words.",
    )
    PASSWORD_KEYBOARD = (
        "password_keyboard",
        "Neighboring keys are easy to guess. Use three or four unrelated words.",
    )
    PASSWORD_SEQUENCE = (
        "password_sequence",
        "Letters or digits in a row are easy to guess. Use three or four unrelated words.",
    )
    PASSWORD_DATE = (
        "password_date",
        "Dates are easy to guess. Use three or four unrelated words.",
    )
    OTHER_AT_AUTH = (
        "other_at_auth",
        "Supabase Auth has another account with this e-mail address. Remove it there, then invite "
        "the person again.",
    )
    NOT_AT_AUTH = "not_at_auth", "Supabase Auth has no account for this person. Invite them again."
    LAST_ADMIN = "last_admin", "This is the last admin. Make someone else an admin first."
    NO_SUCH_ROLE = "no_such_role", "Choose one of the roles."
