#!/usr/bin/env bash
# The precision of a decimal of FHIR is significant: 100.00 is not 100.0. The Python package fhir.resources has the type Decimal for it, but reads
# JSON through a binary fraction first. 100.00 is written again as 100.0, and 12345678901234567.89 as 12345678901234568, without an error.
# A value that is given as a Decimal keeps its digits in the model, and loses them in the JSON.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet fhir.resources==8.3.0
"$folder/python/bin/python" - <<'PYTHON'
import sys
from decimal import Decimal

from fhir.resources.money import Money

print("fhir.resources 8.3.0")
lines = []
for text in ("100.00", "12345678901234567.89"):
    read = Money.model_validate_json(f'{{"value": {text}, "currency": "KES"}}')
    lines.append(f"{text} read from JSON: {read.value!r}, written {read.model_dump_json()}")
made = Money(value=Decimal("12345678901234567.89"), currency="KES")
lines.append(f"{made.value!r} in the model: written {made.model_dump_json()}")
print("\n".join(lines))
EXPECTED = [
    """100.00 read from JSON: Decimal('100.0'), written {"value":100.0,"currency":"KES"}""",
    "12345678901234567.89 read from JSON: Decimal('12345678901234568'), written "
    """{"value":12345678901234568,"currency":"KES"}""",
]
seen = lines[:2] == EXPECTED
print("The behaviour is as described." if seen else "The behaviour has changed.")
sys.exit(0 if seen else 1)
PYTHON
