"""Security headers of every answer: no inline code, nothing from other sites, no caching by default."""

from __future__ import annotations

from flask import Response

from web.context import get_settings

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
#: Policy for original files: whatever the file is, it can neither run code nor load anything.
SANDBOX_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"


def add_security_headers(response: Response) -> Response:
    """Set the headers that the view has not set itself."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("X-Frame-Options", "DENY")
    # Flask-WTF checks the referrer of forms over https, so that no stricter policy is possible.
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
    headers.setdefault("Cache-Control", "no-store")
    if get_settings().cookie_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response
