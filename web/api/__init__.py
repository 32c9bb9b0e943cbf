"""The JSON API, `/api/v1`, for other clients. It accepts tokens only, not session cookies."""

from web.access import Area
from web.api.protocol import InvalidRequest, invalid_request

blueprint = Area("api", __name__, url_prefix="/api/v1")
blueprint.register_error_handler(InvalidRequest, invalid_request)

from web.api import batches, duplicates, escalations, exports, openapi, reports, schools, submissions, suggestions  # noqa: E402,F401
