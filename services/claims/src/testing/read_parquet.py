"""Reads Parquet files with several libraries and prints, per file and reader, the types of its columns, the number of rows, and the first two rows and
the last one, as JSON.

The argument after each Parquet file is the Arrow stream that another reader made of it.
"""

import json
import sys

import datafusion
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet

READERS = {
    "pyarrow": lambda path: pyarrow.parquet.read_table(path),
    "pandas": lambda path: pa.Table.from_pandas(pd.read_parquet(path, dtype_backend="pyarrow")),
    "polars": lambda path: pl.read_parquet(path).to_arrow(),
    "DuckDB": lambda path: duckdb.read_parquet(path).to_arrow_table(),
    "DataFusion": lambda path: datafusion.SessionContext().read_parquet(path).to_arrow_table(),
}


def kind(arrow_type):
    texts = (pa.string(), pa.large_string(), pa.string_view())
    return "text" if arrow_type in texts else str(arrow_type)


def content(table):
    rows = table.to_pylist()
    return {
        "types": {field.name: kind(field.type) for field in table.schema},
        "count": len(rows),
        "rows": rows[:2] + rows[2:][-1:],
    }


def read(path, stream):
    tables = {name: reader(path) for name, reader in READERS.items()}
    tables["parquet-wasm"] = pa.ipc.open_stream(stream).read_all()
    return {name: content(table) for name, table in tables.items()}


arguments = sys.argv[1:]
print(json.dumps([read(path, stream) for path, stream in zip(arguments[::2], arguments[1::2], strict=True)]))
