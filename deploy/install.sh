#!/bin/sh
# The steps of the image, for any Debian: `deploy/install.sh FOLDER` as root, from a checkout.
# `make fresh` runs this file in a new userland, the Dockerfile in its image, an office on its server.
# FOLDER then holds the program, compiled and with its packages in FOLDER/.venv; all of it is root's, and nothing in it
# is ever written. The user `second-reader` (uid 10001) runs it and owns /var/lib/second-reader, where VAR_DIR lies.
set -eu

folder=${1:?"the folder to install into, such as /opt/second-reader"}
source=$(cd "$(dirname "$0")/.." && pwd)

sh "$source/scripts/ensure_packages.sh" python3 python3-venv ca-certificates

mkdir -p "$folder"
for part in flask_app.py .flaskenv commands core jobs pipeline research services web samples scripts static supabase \
	templates translations requirements.txt; do
	cp -R "$source/$part" "$folder/"
done
# `flask` looks for `.env` in the folders above: without one here, whoever writes there would say what runs.
touch "$folder/.env"

python3 -m venv "$folder/.venv"
"$folder/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir -r "$folder/requirements.txt"
# Once, now: nobody can write compiled files later.
"$folder/.venv/bin/python" -m compileall -q -j 0 "$folder" >/dev/null || true
chmod -R u=rwX,go=rX "$folder"

getent passwd second-reader >/dev/null || useradd --uid 10001 --user-group --no-create-home \
	--home-dir /var/lib/second-reader --shell /usr/sbin/nologin second-reader
install -d -m 700 -o second-reader -g second-reader /var/lib/second-reader
