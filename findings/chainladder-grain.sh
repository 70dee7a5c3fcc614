#!/usr/bin/env bash
# chainladder infers the grain of a triangle from the months that occur in the data.
#
# Five quarters of payments are valued at the end of March, and again at 15 February. The second triangle is monthly: most of its columns are
# missing, no factor is left, and the ultimates equal the latest sums, so that the reserve is 0. No error and no warning says so. A single
# month, November 2026, is read as the year 2027, which ends in October 2027.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet chainladder==0.10.1 pandas==3.1.1
"$folder/python/bin/python" -W ignore - <<'PYTHON'
import sys

import chainladder as cl
import pandas as pd

QUARTERS = ["2025-01-01", "2025-04-01", "2025-07-01", "2025-10-01", "2026-01-01"]
ENDS = ["2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31"]


def paid(origin, valuation):
    months = (pd.Period(valuation, "M") - pd.Period(origin, "M")).n + 1
    return round(100_000 * (1 - 0.8**months))


def triangle(origins, valuations):
    rows = [(o, v, paid(o, v)) for o in origins for v in valuations if v >= o]
    data = pd.DataFrame(rows, columns=["origin", "valuation", "paid"])
    return cl.Triangle(data, origin="origin", development="valuation", columns=["paid"], cumulative=True)


def describe(name, read):
    latest = read.latest_diagonal.to_frame().to_numpy().flatten().tolist()
    ultimate = cl.MackChainladder().fit(read).ultimate_.to_frame().to_numpy().flatten().round().tolist()
    reserve = sum(ultimate) - sum(latest)
    print(f"{name}: origins {read.origin_grain}, development {read.development_grain}, shape {read.shape[2:]}")
    print(f"  latest {latest}\n  ultimate {ultimate}\n  reserve {reserve}")
    return read.origin_grain + read.development_grain, reserve


print("chainladder", cl.__version__, "pandas", pd.__version__)
end = describe("valued at 2026-03-31", triangle(QUARTERS, [*ENDS, "2026-03-31"]))
within = describe("valued at 2026-02-15", triangle(QUARTERS, [*ENDS, "2026-02-15"]))
month = triangle(["2026-11-01"], ["2026-11-30"])
single = [str(origin) for origin in month.origin], str(month.valuation_date.date())
print(f"one month, 2026-11, valued at 2026-11-30: origins {single[0]}, valuation date {single[1]}")
seen = end[0] == "QQ" and end[1] > 0 and within == ("QM", 0) and single == (["2027"], "2027-10-31")
print("The behaviour is as described." if seen else "The behaviour has changed.")
sys.exit(0 if seen else 1)
PYTHON
