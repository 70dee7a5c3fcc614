#!/usr/bin/env bash
# hyparquet-writer writes the list of row groups of a file without rows with the element type 0, which the Thrift compact protocol does not
# have. Readers on Rust Arrow reject the file: they expect structs. pyarrow reads it as a table without rows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-save --ignore-scripts --prefix "$folder" hyparquet-writer@0.17.0 parquet-wasm@0.8.0
cat > write.mjs <<'JAVASCRIPT'
import { writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readParquet } from 'parquet-wasm/node';

for (const [name, data] of [
  ['empty', []],
  ['one', ['a']],
]) {
  const bytes = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'id', data, type: 'STRING' }] }));
  writeFileSync(`${name}.parquet`, bytes);
  let result;
  try {
    result = `${readParquet(bytes).recordBatches().length} batches`;
  } catch (error) {
    result = `rejected: ${error.message ?? error}`;
  }
  console.log(`parquet-wasm 0.8.0, ${name}: ${result}`);
}
JAVASCRIPT
python3 -m venv python
python/bin/pip install --quiet datafusion==55.0.0 pyarrow==26.0.1
cat > read.py <<'PYTHON'
import datafusion
import pyarrow
import pyarrow.parquet

READERS = {
    f"pyarrow {pyarrow.__version__}": lambda path: pyarrow.parquet.read_table(path).num_rows,
    f"DataFusion {datafusion.__version__}": lambda path: datafusion.SessionContext().read_parquet(path).count(),
}
for name in ("empty", "one"):
    for reader, read in READERS.items():
        try:
            result = f"{read(f'{name}.parquet')} rows"
        except Exception as error:
            result = f"rejected: {error}"
        print(f"{reader}, {name}: {result}")
PYTHON

echo 'hyparquet-writer 0.17.0'
output=$(node write.mjs && python/bin/python read.py)
echo "$output"
if [[ $output == *'parquet-wasm 0.8.0, empty: rejected'*'pyarrow 26.0.1, empty: 0 rows'*'DataFusion 55.0.0, empty: rejected'* &&
  $output != *'one: rejected'* ]]; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
