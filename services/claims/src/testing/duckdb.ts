/** DuckDB, which reads the Parquet files of this service. */
import { DuckDBInstance } from '@duckdb/node-api';

/** Reads a Parquet file with DuckDB: the SQL types of its columns, and its rows with integers as numbers. */
export async function readWithDuckDb(path: string) {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    const columns = await connection.runAndReadAll(`describe select * from '${path}'`);
    const rows = await connection.runAndReadAll(`select * from '${path}'`);
    return {
      types: Object.fromEntries(columns.getRowObjects().map((each) => [each.column_name, each.column_type])),
      rows: rows
        .getRowObjects()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              typeof value === 'bigint' ? Number(value) : value,
            ]),
          ),
        ),
    };
  } finally {
    connection.closeSync();
  }
}
