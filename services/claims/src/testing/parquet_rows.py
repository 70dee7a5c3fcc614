"""Reads a Parquet file with pandas and prints its column types and rows as JSON."""

import json
import sys

import pandas as pd

frame = pd.read_parquet(sys.argv[1], dtype_backend="pyarrow")
rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
print(json.dumps({"types": frame.dtypes.astype(str).to_dict(), "rows": rows}))
