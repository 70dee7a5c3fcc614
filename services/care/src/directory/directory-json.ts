/**
 * The parser of directories in JSON: an array with one object per practitioner, with weekly hours as in the API. `JSON.parse`
 * returns no line numbers, so a search for brackets finds the line of each row.
 */
import { DirectoryFileError, type DirectoryRecord } from './directory-record';

function lineAt(json: string, position: number): number {
  return json.slice(0, position).split('\n').length;
}

/** Returns the line on which each element of the outermost array begins. @param json an array that JSON.parse accepted */
function elementLines(json: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let expectsElement = false;
  // Each match is one token. A whole string is one token, so that a bracket or comma inside a string does not count.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\n|[[\]{},]|[^\s"[\]{},]+/g)) {
    if (token === '\n') {
      line++;
      continue;
    }
    if (expectsElement && token !== ']') {
      lines.push(line);
      expectsElement = false;
    }
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth === 1 && ((token === '[' && lines.length === 0) || token === ',')) expectsElement = true;
  }
  return lines;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const position = /at position (\d+)/.exec(error.message)?.[1];
    throw new DirectoryFileError(
      position === undefined ? null : lineAt(json, Number(position)),
      `the file is not JSON: ${error.message}`,
    );
  }
}

/**
 * Parses a JSON directory.
 *
 * @throws DirectoryFileError if the text is not a JSON array
 */
export function readJson(text: string): DirectoryRecord[] {
  const json = text.replace(/^\ufeff/, '');
  const rows = parse(json);
  if (!Array.isArray(rows))
    throw new DirectoryFileError(1, 'the file must contain an array of practitioners');
  const lines = elementLines(json);
  return rows.map((row: unknown, index) => {
    const line = lines[index] ?? 1;
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject
      ? { line, fields: { ...row } }
      : { line, fields: {}, malformed: 'the row must be an object' };
  });
}
