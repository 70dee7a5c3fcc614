/** The Python libraries with which analysts and actuaries read the files of this service. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '@carecover/testing/servers';

const run = promisify(execFile);

/** chainladder requires pandas, which reads Parquet with pyarrow. */
const PACKAGES = [
  'chainladder==0.10.1',
  'pandas==3.1.1',
  'pyarrow==26.0.1',
  'polars==2.1.0',
  'duckdb==2.0.1',
  'datafusion==55.0.0',
];

/**
 * Runs a program of this folder with Python, and returns the JSON that it prints. Without Python, returns null and prints one line that
 * names what was not tested.
 */
export async function runPython<T>(
  tested: string,
  program: string,
  args: readonly string[],
): Promise<T | null> {
  const bin = await pythonEnvironment(tested, PACKAGES);
  if (bin === null) return null;
  const { stdout } = await run(join(bin, 'python'), ['-W', 'ignore', join(__dirname, program), ...args]);
  return JSON.parse(stdout) as T;
}
