"""One-time codes of an authenticator (TOTP, RFC 6238) beside the password, and recovery codes."""
