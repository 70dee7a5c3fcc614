/**
 * Directories as JSON: an array with an object a practitioner, weekly hours as the API shows them. `JSON.parse` forgets where
 * a value stood, so the lines are found by a look at the brackets, in a text that is known to be JSON.
 */
import { DirectoryFileError } from './directory-file';
import type { DirectoryRecord } from './directory-record';

function lineAt(json: string, position: number): number {
  return json.slice(0, position).split('\n').length;
}

/** The line on which each element of the outermost array begins. @param json an array that JSON.parse accepted */
function elementLines(json: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let awaiting = false;
  // Strings whole, so that no bracket or comma inside one counts.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\n|[[\]{},]|[^\s"[\]{},]+/g)) {
    if (token === '\n') {
      line++;
      continue;
    }
    if (awaiting && token !== ']') {
      lines.push(line);
      awaiting = false;
    }
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
    if (depth === 1 && ((token === '[' && lines.length === 0) || token === ',')) awaiting = true;
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

/** @throws DirectoryFileError where the text is not a JSON array */
export function readJson(text: string): DirectoryRecord[] {
  const json = text.replace(/^\ufeff/, '');
  const rows = parse(json);
  if (!Array.isArray(rows)) throw new DirectoryFileError(1, 'the file must hold an array of practitioners');
  const lines = elementLines(json);
  return rows.map((row: unknown, index) => {
    const line = lines[index] ?? 1;
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject
      ? { line, fields: { ...row } }
      : { line, fields: {}, malformed: 'the row is not an object' };
  });
}
