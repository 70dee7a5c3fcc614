#!/bin/sh
# Runs once, when the database's volume is new: a role of its own for Temporal, which makes its own databases.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/temporal_database_password)" <<'SQL'
create role temporal login createdb password :'password';
-- Nobody but Temporal's tool, which creates its databases from there, has business in the server's own databases.
revoke all on database postgres, template1 from public;
grant connect on database postgres to temporal;
SQL
