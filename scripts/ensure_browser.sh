#!/bin/sh
# A Chromium for the browser tests: nothing to do where there is one; else Debian's, where we may install it.
# Without one the browser tests are counted as skipped, and fail under CI=true unless ALLOW_NO_BROWSER=1.
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
sh "$(dirname "$0")/ensure_packages.sh" chromium || echo "The browser tests will be skipped." >&2
exit 0
