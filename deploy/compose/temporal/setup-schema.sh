#!/bin/sh
# Creates Temporal's two databases if they are missing, and migrates their tables to the schema of this image.
set -eu
SQL_PASSWORD="$(cat /run/secrets/temporal_database_password)"
export SQL_PASSWORD
schemas=/etc/temporal/schema/postgresql/v12

prepare() {
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  $tool create-database
  # Fails if the tables exist, which is ignored, because the update below reports real errors.
  $tool setup-schema --version 0.0 || true
  $tool update-schema --schema-dir "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
