#!/bin/sh
# Install the Debian packages that are missing, where we may; say so where we may not, and end with 1.
# An argument "package" is a package's name; "a|b" asks for a program of either name, and for the package a without one.
set -u

installed() {
    case "$1" in
    *"|"*) for name in $(echo "$1" | tr '|' ' '); do command -v "$name" >/dev/null 2>&1 && return 0; done; return 1 ;;
    *) dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
    esac
}

missing=""
for wanted in "$@"; do
    installed "$wanted" || missing="$missing ${wanted%%|*}"
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
command -v apt-get >/dev/null 2>&1 || { echo "Without apt-get these must be installed by hand:$missing" >&2; exit 1; }

install() {
    $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

echo "Installing system packages:$missing …"
# shellcheck disable=SC2086
install $missing && exit 0
# The lists of packages may be old or not there at all.
$run apt-get update -qq >/dev/null 2>&1
# shellcheck disable=SC2086
install $missing && exit 0
# One that this release does not have must not keep out the others.
failed=""
for package in $missing; do
    install "$package" || failed="$failed $package"
done
[ -z "$failed" ] || { echo "apt-get could not install:$failed" >&2; exit 1; }
