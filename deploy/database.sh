#!/bin/sh
# The role and the database of the program, made once by a superuser: the role is none, so that row security holds.
# The image of PostgreSQL runs it in a new cluster; by hand: `PGHOST=… PGUSER=postgres sh deploy/database.sh`.
set -eu

psql -v ON_ERROR_STOP=1 -d postgres -v password="$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}")" <<'SQL'
create role second_reader login createdb createrole password :'password';
select 'alter role second_reader set createrole_self_grant = ''set'''
 where current_setting('server_version_num')::int >= 160000 \gexec
create database second_reader owner second_reader encoding 'UTF8' template template0;
\connect second_reader
create extension if not exists vector;
SQL
