#!/bin/sh
# Runs once, when the database's volume is new: a role of its own for Temporal, which makes its own databases.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/temporal_database_password)" <<'SQL'
create role temporal login createdb password :'password';
SQL
