#!/bin/sh
# Install the Debian packages named, where they are missing and we may; say so where we may not.
set -u
missing=""
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" -eq 0 ]; then
    run=""
elif sudo -n true 2>/dev/null; then
    run="sudo -n"
else
    echo "These system packages are missing and cannot be installed without root:$missing" >&2
    exit 1
fi
echo "Installing system packages:$missing …"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 && exit 0
# shellcheck disable=SC2086
$run apt-get update -qq >/dev/null 2>&1 && $run apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 \
    || { echo "apt-get could not install:$missing" >&2; exit 1; }
