#!/usr/bin/env bash
# DuckDB infers the type of a JSON field from a sample of 20,480 lines. If the field is null in all of them, DuckDB 2.0.1 gives it the type
# "NULL", and its later values are read as NULL. No error or warning says so. DuckDB 1.5.6 gives it the type JSON, which keeps the values.
# The same happens to a field of a nested object.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/read.py" <<'PYTHON'
import json
import os

import duckdb

NULLS = 20_480


def last(name, line):
    with open(name, "w", encoding="utf-8") as file:
        for number in range(NULLS + 1):
            file.write(json.dumps(line(None if number < NULLS else 7)) + "\n")
    read = f"read_json('{name}', format = 'newline_delimited')"
    (kind,) = duckdb.sql(f"select * from {read}").types
    [(value,)] = duckdb.sql(f"select * from {read} offset {NULLS}").fetchall()
    print(f"  {name}: type {kind}, value of the last line {value!r}")
    os.remove(name)
    return value


print("duckdb", duckdb.__version__)
top = last("top.ndjson", lambda value: {"amount": value})
nested = last("nested.ndjson", lambda value: {"claim": {"amount": value}})
kept = [str(value) == "7" for value in (top, nested["amount"])]
print("kept" if all(kept) else "lost" if not any(kept) else "mixed")
PYTHON

read_with() {
  python3 -m venv "$folder/$1"
  "$folder/$1/bin/pip" install --quiet "duckdb==$1"
  (cd "$folder" && "$folder/$1/bin/python" read.py)
}

before=$(read_with 1.5.6)
now=$(read_with 2.0.1)
printf '%s\n' "$before" "$now"
if [[ ${before##*$'\n'} == kept && ${now##*$'\n'} == lost ]]; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
