#!/usr/bin/env bash
# The Python package mt-940 gives debits a negative amount, and every other mark a positive one. RC is the reversal of a credit: the money
# leaves the account. Its amount is positive too, so the transactions of a valid statement do not sum up to the difference of its balances.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet mt-940==5.1.1
"$folder/python/bin/python" - <<'PYTHON'
import sys

import mt940

STATEMENT = """:20:STATEMENT
:25:12345678/0001
:28C:1/1
:60F:C261126EUR1000,00
:61:2611271127C200,00NTRFADVICE-1//B1
:86:a credit
:61:2611271127D10,00NCHGFEE-1//B2
:86:a debit
:61:2611271127RC50,00NTRFADVICE-0//B3
:86:the reversal of a credit
:61:2611271127RD30,00NTRFFEE-0//B4
:86:the reversal of a debit
:62F:C261127EUR1170,00
"""

statement = mt940.parse(STATEMENT)
amounts = [transaction.data["amount"].amount for transaction in statement]
marks = [transaction.data["status"] for transaction in statement]
opening = statement.data["final_opening_balance"].amount.amount
closing = statement.data["final_closing_balance"].amount.amount
print("mt-940 5.1.1")
for mark, amount in zip(marks, amounts):
    print(f"{mark}: {amount}")
print(f"sum of the transactions {sum(amounts)}, closing minus opening balance {closing - opening}")
seen = [str(amount) for amount in amounts] == ["200.00", "-10.00", "50.00", "30.00"]
seen = seen and marks == ["C", "D", "RC", "RD"] and str(closing - opening) == "170.00"
print("The behaviour is as described." if seen else "The behaviour has changed.")
sys.exit(0 if seen else 1)
PYTHON
