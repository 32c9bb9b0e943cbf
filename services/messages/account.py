"""Message codes of refused values for accounts and tokens."""

from __future__ import annotations

from core.messages import MessageCode


class AccountRefused(MessageCode):
    """Why an account, a password or a token was refused."""

    TOKEN_NAME = "token_name", "Give the token a name of at most %(limit)s letters."
    TOKEN_DAYS = "token_days", "A token is good for 1 to %(limit)s days."
    TOO_MANY_TOKENS = "too_many_tokens", "You have many tokens. Revoke one that you no longer use."
    TOKEN_SCOPES = "token_scopes", "Choose at least one thing that the token may do."
    ADDRESS_TAKEN = "address_taken", "There is an account with this e-mail address already."
    JUST_INVITED = "just_invited", "Somebody has just invited this person."
    NOT_AN_ADDRESS = "not_an_address", "This is not an e-mail address."
    NAME_TOO_LONG = "name_too_long", "The name may have at most %(limit)s characters."
    PASSWORD_TOO_SHORT = "password_too_short", "The password needs at least %(limit)s characters."
    PASSWORD_TOO_LONG = "password_too_long", "The password may have at most %(limit)s characters."
    PASSWORD_IS_ADDRESS = "password_is_address", "The password must not be the e-mail address."
    PASSWORD_REPEATS = "password_repeats", "The password repeats too few characters."
    PASSWORD_COMMON = (
        "password_common",
        "This password is among the first that are tried. Take three or four words that do not belong together.",
    )
    PASSWORD_KEYBOARD = (
        "password_keyboard",
        "Keys that lie side by side are tried first. Take three or four words that do not belong together.",
    )
    PASSWORD_SEQUENCE = (
        "password_sequence",
        "Letters or digits in a row are tried first. Take three or four words that do not belong together.",
    )
    PASSWORD_DATE = (
        "password_date",
        "Dates are tried first. Take three or four words that do not belong together.",
    )
    OTHER_AT_AUTH = (
        "other_at_auth",
        "Supabase Auth has another account with this e-mail address. Remove it there, then invite them again.",
    )
    NOT_AT_AUTH = "not_at_auth", "Supabase Auth has no account of this person. Invite them again."
    LAST_ADMIN = "last_admin", "This is the last admin. Make somebody else admin first."
    NO_SUCH_ROLE = "no_such_role", "Choose one of the roles."
