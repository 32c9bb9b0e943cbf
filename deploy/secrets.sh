#!/bin/sh
# Make what is missing in the folder deploy/secrets, or in another one: passwords, addresses, and a certificate that no
# browser trusts, which you replace by your own. The folder is for its owner; files are readable for the containers' users.
set -eu

folder=${1:-"$(dirname "$0")/secrets"}
name=${2:-office.example.org}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

new() { [ -s "$1" ] || { cat >"$1"; chmod 444 "$1"; }; }
random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

random | new postgres_password
random | new database_password
random | new queue_password
random | new secret_key
database=$(cat database_password)
queue=$(cat queue_password)
echo "postgresql://second_reader:$database@pooler:6432/second_reader" | new database_url
echo "postgresql://second_reader:$database@pooler:6432/second_reader_session" | new session_database_url
echo "redis://default:$queue@queue:6379/0" | new redis_url
echo "\"second_reader\" \"$database\"" | new pooler_users
echo "user default on >$queue ~* &* +@all" | new queue_users
[ -s tls_key ] || {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$name" \
		-addext "subjectAltName=DNS:$name" -keyout tls_key -out tls_certificate 2>/dev/null
	chmod 444 tls_key tls_certificate
}
