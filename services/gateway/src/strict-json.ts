/**
 * JSON as RFC 8259 writes it and I-JSON (RFC 7493) narrows it: UTF-8 without a byte order mark, no name twice in an object,
 * numbers that a double holds. Two readers of such a text can't come to different values, which is how requests are smuggled.
 *
 * The native parser decides on the syntax and makes the value; one pass over the text, by then known to be well formed,
 * finds what the value no longer shows.
 */
import { type Problem, pointerStep } from '@carecover/contract';

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** Deeper than any schema of the contract by far. */
const MAX_DEPTH = 32;
/** Every decimal of this many significant digits survives a double. */
const SAFE_DIGITS = 15;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function refused(pointer: string, message: string): Parsed {
  return { ok: false, problem: { pointer, message } };
}

/** Parses a body. The problem's pointer is empty where the place can't be named. */
export function parseStrictJson(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refused('', 'must be in UTF-8');
  }
  if (text.startsWith('\ufeff')) return refused('', 'must not begin with a byte order mark');
  // Before the parser, whose work and memory on a mere row of brackets would be out of proportion.
  if (depthOf(text) > MAX_DEPTH) return refused('', `must not be nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused('', `must be JSON: ${syntaxMessage(error)}`);
  }
  const problem = findAmbiguity(text);
  return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

/** The parser's own words without the text that it quotes, which may name a person. */
function syntaxMessage(error: unknown): string {
  const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return at === undefined ? 'it ends too early or is broken' : `it is broken at character ${Number(at) + 1}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The index after the string that begins at `start`, also where the text ends first. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === BACKSLASH) index++;
    else if (char === QUOTE) return index + 1;
  }
  return text.length;
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) index = endOfString(text, index) - 1;
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x5d || char === 0x7d) depth--;
  }
  return deepest;
}

/** An open object (its names so far) or array (null), and the step of the pointer in which the scan stands. */
interface Level {
  readonly names: Set<string> | null;
  step: string | number;
}

function pointerTo(levels: readonly Level[]): string {
  return levels.map(({ step }) => pointerStep(step)).join('');
}

/** The first duplicate name, forbidden name or number beyond a double in a text that is well-formed JSON. */
function findAmbiguity(text: string): Problem | undefined {
  const levels: Level[] = [];
  let expectsName = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    const level = levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, index);
      if (expectsName && level?.names) {
        const name: string = JSON.parse(text.slice(index, end));
        level.step = name;
        if (level.names.has(name)) return { pointer: pointerTo(levels), message: 'is given twice' };
        if (name === '__proto__') return { pointer: pointerTo(levels), message: 'is not known here' };
        level.names.add(name);
        expectsName = false;
      }
      index = end - 1;
    } else if (char === '{') {
      levels.push({ names: new Set(), step: '' });
      expectsName = true;
    } else if (char === '[') {
      levels.push({ names: null, step: 0 });
    } else if (char === '}' || char === ']') {
      levels.pop();
      expectsName = false;
    } else if (char === ',' && level !== undefined) {
      if (level.names === null) level.step = Number(level.step) + 1;
      else expectsName = true;
    } else if (char !== undefined && (char === '-' || (char >= '0' && char <= '9'))) {
      const end = endOfNumber(text, index);
      if (!isExact(text.slice(index, end))) {
        return {
          pointer: pointerTo(levels),
          message: 'must be a number of at most 15 digits, or an integer up to 9007199254740991',
        };
      }
      index = end - 1;
    }
  }
  return undefined;
}

const NUMBER = /[-+.0-9eE]+/y;

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.exec(text);
  return NUMBER.lastIndex;
}

function isExact(number: string): boolean {
  const value = Number(number);
  if (/^-?\d+$/.test(number)) return Number.isSafeInteger(value);
  const [mantissa = ''] = number.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return (
    digits.length <= SAFE_DIGITS &&
    Math.abs(value) <= Number.MAX_SAFE_INTEGER &&
    (value !== 0 || digits === '')
  );
}
