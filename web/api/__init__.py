"""The JSON API, `/api/v1`, for other clients. It accepts tokens only, not session cookies."""

from flask import Blueprint

from web.api.protocol.problems import InvalidRequest, invalid_request

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
blueprint.register_error_handler(InvalidRequest, invalid_request)

from web.api import (  # noqa: E402
    batches,  # noqa: F401
    bulk,  # noqa: F401
    decisions,  # noqa: F401
    document,  # noqa: F401
    duplicates,  # noqa: F401
    escalations,  # noqa: F401
    exports,  # noqa: F401
    holds,  # noqa: F401
    pages,  # noqa: F401
    records,  # noqa: F401
    reports,  # noqa: F401
    resolutions,  # noqa: F401
    revisions,  # noqa: F401
    schools,  # noqa: F401
    splits,  # noqa: F401
    submissions,  # noqa: F401
    suggestions,  # noqa: F401
    supervisions,  # noqa: F401
    whoami,  # noqa: F401
)
