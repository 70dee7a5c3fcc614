#!/bin/sh
# Makes Temporal's two databases where they are missing and brings their tables to the release of this image.
set -eu
SQL_PASSWORD="$(cat /run/secrets/temporal_database_password)"
export SQL_PASSWORD
schemas=/etc/temporal/schema/postgresql/v12

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  $tool create-database
  # Refused where the tables are there already; the update below then has the last word.
  $tool setup-schema --version 0.0 || true
  $tool update-schema --schema-dir "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
