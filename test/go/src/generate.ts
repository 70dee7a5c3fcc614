/**
 * Generates the types and the methods of the Go client from the API description. A generator of this repository and not one of the
 * registries: the generated code needs only Go's standard library, and its methods have the names of the client for TypeScript.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renderOperations } from './render-operations';
import { renderTypes } from './render-types';
import { CLIENT } from './tools';

const FILES = { 'types.gen.go': renderTypes, 'operations.gen.go': renderOperations };
type Files = Record<string, string>;

async function readAll(folder: string): Promise<Files> {
  const entries = Object.keys(FILES).map(async (name) => [name, await readFile(join(folder, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the texts of the generated files of the repository by their names. */
export const readGenerated = () => readAll(CLIENT);

/** Generates the files. Returns their texts, in the format of gofmt, by their names. */
export async function generate(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-go-'));
  try {
    for (const [name, render] of Object.entries(FILES)) await writeFile(join(folder, name), render());
    await promisify(execFile)('gofmt', ['-w', folder]);
    return await readAll(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
