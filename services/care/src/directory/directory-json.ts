/**
 * The parser of directories in JSON: an array with one object per practitioner, with weekly hours as in the API. `JSON.parse`
 * returns no line numbers, so a search for brackets finds the line of each row.
 */
import type { Readable } from 'node:stream';
import { decodeText, FileError } from '@carecover/import-files';
import type { DirectoryRecord } from './directory-record';

function lineAt(json: string, position: number): number {
  return json.slice(0, position).split('\n').length;
}

/** Yields the line on which each element of the outermost array begins. @param json an array that JSON.parse accepted */
function* elementLines(json: string): Generator<number> {
  let line = 1;
  let depth = 0;
  let isInText = false;
  let expectsElement = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (character === '\n') line += 1;
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
      continue;
    }
    if (' \t\r\n'.includes(character)) continue;
    if (expectsElement && character !== ']') yield line;
    expectsElement = depth === 0 || (depth === 1 && character === ',');
    if (character === '"') isInText = true;
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Other messages contain a part of the file.
    const [, problem, position] = /^(.*) in JSON at position (\d+)/.exec(error.message) ?? [];
    if (problem === undefined) throw new FileError('The file is not JSON.');
    throw new FileError(`The file is not JSON: ${problem}.`, lineAt(json, Number(position)));
  }
}

/** Reads the rows of a JSON directory, with the whole file in memory. @throws FileError if the file is not a JSON array */
export async function* readJson(input: Readable): AsyncGenerator<DirectoryRecord> {
  let json = '';
  for await (const text of decodeText(input)) json += text;
  const rows = parse(json);
  if (!Array.isArray(rows)) throw new FileError('The file must contain an array of practitioners.', 1);
  const lines = elementLines(json);
  for (const row of rows as unknown[]) {
    const line = lines.next().value ?? 1;
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    yield isObject
      ? { line, fields: { ...row } }
      : { line, fields: {}, malformed: 'the row must be an object' };
  }
}
