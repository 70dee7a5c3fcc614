#!/usr/bin/env bash
# The entry date of an MT940 transaction has no year. mt940js takes the year of the value date, also where a new year lies between them: value
# date 2 January 2027 with entry 1231 is booked on 31 December 2027 instead of 2026, and the reverse a year early. The Python package mt-940
# takes the nearest year.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > statement.sta <<'STATEMENT'
:20:STATEMENT
:25:12345678/0001
:28C:1/1
:60F:C261231EUR1000,00
:61:2701021231C200,00NTRFADVICE-1//B1
:86:booked before the value date
:61:2612310102C100,00NTRFADVICE-2//B2
:86:booked after the value date
:62F:C270102EUR1300,00
STATEMENT
npm install --silent --no-save --ignore-scripts --prefix "$folder" mt940js@1.3.5
cat > read.cjs <<'JAVASCRIPT'
const { readFileSync } = require('node:fs');
const { Parser } = require('mt940js');

const [{ transactions }] = new Parser().parse(readFileSync('statement.sta', 'utf8'));
const day = (date) => date.toISOString().slice(0, 10);
for (const { date, entryDate } of transactions) console.log(`mt940js 1.3.5: value ${day(date)}, entry ${day(entryDate)}`);
JAVASCRIPT
python3 -m venv python
python/bin/pip install --quiet mt-940==5.1.1
cat > read.py <<'PYTHON'
import mt940

for transaction in mt940.parse("statement.sta"):
    print(f"mt-940 5.1.1: value {transaction.data['date']}, entry {transaction.data['guessed_entry_date']}")
PYTHON
(node read.cjs && python/bin/python read.py) | tee output.txt

if grep -q '^mt940js 1.3.5: value 2027-01-02, entry 2027-12-31$' output.txt &&
  grep -q '^mt940js 1.3.5: value 2026-12-31, entry 2026-01-02$' output.txt &&
  grep -q '^mt-940 5.1.1: value 2027-01-02, entry 2026-12-31$' output.txt &&
  grep -q '^mt-940 5.1.1: value 2026-12-31, entry 2027-01-02$' output.txt; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
