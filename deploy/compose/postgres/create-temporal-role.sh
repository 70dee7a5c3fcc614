#!/bin/sh
# Creates the database role of Temporal's server, which creates its own databases. Runs once, when the volume of the database is new.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/temporal_database_password)" <<'SQL'
create role temporal login createdb password :'password';
-- Only Temporal's tool, which creates its databases from there, can connect to the maintenance databases.
revoke all on database postgres, template1 from public;
grant connect on database postgres to temporal;
SQL
