/**
 * Parses JSON (RFC 8259) with the restrictions of I-JSON (RFC 7493): UTF-8 without a byte order mark, unique names in an object, and
 * numbers whose digits a double keeps. Two parsers of such a text get the same value, which prevents request smuggling.
 *
 * Bounds are checked during parsing, and parsing stops at the first bound that is exceeded by more than the tolerance. A long body is
 * parsed in slices, and the event loop serves other requests between them (docs/decisions/0019).
 */
import { isUtf8 } from 'node:buffer';
import { type BodyBounds, MAX_PROBLEMS, type Problem, pointerStep, problem } from '@carecover/contract';
import { nextTurn } from '@carecover/process';
import { computeAtCost } from '@carecover/telemetry';

/** Bytes parsed per turn of the event loop: well below a millisecond of work. */
const SLICE_BYTES = 64 * 1024;

/** A body that exceeds its bounds by at most this tolerance is still parsed to its end, so that the response can name the fields. */
const TOLERANCE = { depth: 2, fields: MAX_PROBLEMS, items: MAX_PROBLEMS, values: 100 };

const MAX_NUMBER_BYTES = 64;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const INEXACT =
  'must be a number of at most 15 digits, the shortest decimal of a double (at most 17 digits), or an integer up to 9007199254740991';

/**
 * The result of parsing. If the text was parsed, it has the value, and the problems that the value does not show, such as a repeated name.
 * Otherwise it has the problems that ended the parsing.
 */
export type ParsedJson =
  | { readonly isRead: true; readonly value: unknown; readonly problems: readonly Problem[] }
  | { readonly isRead: false; readonly problems: readonly Problem[] };

/** The kinds of token that the JSON grammar allows next. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'nothing';

/** An open object or array, and the current step of the JSON pointer. */
type Level =
  | { readonly object: Record<string, unknown>; readonly names: Set<string>; step: string }
  | { readonly array: unknown[]; step: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LITERALS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  // The bytes are the digits and the characters + - . E e.
  return (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(byte);
}

/** Returns the significant digits of a JSON number and the power of ten of the first one, which equal decimals have in common. */
function significantDigits(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const power = Number(exponent) - fraction.length + digits.length;
  return digits === '' ? '' : `${digits.replace(/0+$/, '')}e${power}`;
}

/**
 * Returns whether a double keeps all digits of a JSON number, so that the number does not change when it is parsed and printed again. This
 * holds for decimals of at most 15 digits, apart from those below 2.3e-308, and for the output of JSON.stringify.
 */
function isExact(number: string): boolean {
  const value = Number(number);
  if (/^-?\d+$/.test(number)) return Number.isSafeInteger(value);
  // A fast path: at most 15 digits and a point, without an exponent.
  if (/^-?[\d.]{1,16}$/.test(number)) return true;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return significantDigits(number) === significantDigits(String(value));
}

/** Thrown to end the parsing with a problem. */
class Rejected extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Parses one text slice by slice; see {@link parseStrictJson}. */
export class StrictJsonReader {
  /** Bytes parsed so far. */
  position = 0;
  /** Values started so far. */
  values = 0;
  private expected: Expected = 'value';
  private readonly levels: Level[] = [];
  private readonly problems: Problem[] = [];
  private root: unknown;

  constructor(
    private readonly bytes: Buffer,
    private readonly bounds: BodyBounds,
  ) {}

  /** Parses the next slice. Returns the result after the last slice, else undefined. */
  readSlice(): ParsedJson | undefined {
    try {
      if (this.position === 0) this.checkEncoding();
      const end = Math.min(this.bytes.length, this.position + SLICE_BYTES);
      while (this.position < end) this.readToken(this.bytes[this.position] ?? 0);
      if (this.position < this.bytes.length) return undefined;
      if (this.expected !== 'nothing') throw this.malformed();
      return { isRead: true, value: this.root, problems: this.problems };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return { isRead: false, problems: [...this.problems, error.problem] };
    }
  }

  private checkEncoding(): void {
    const { bytes } = this;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      throw new Rejected(problem('', 'must not begin with a byte order mark'));
    }
    if (!isUtf8(bytes)) throw new Rejected(problem('', 'must be in UTF-8'));
  }

  private readToken(byte: number): void {
    if (isBlank(byte)) this.position += 1;
    else if (byte === QUOTE) this.readString();
    else if (byte === 0x7b) this.open({ object: {}, names: new Set(), step: '' }, 'name or }');
    else if (byte === 0x5b) this.open({ array: [], step: 0 }, 'value or ]');
    else if (byte === 0x7d) this.close('name or }', ', or }');
    else if (byte === 0x5d) this.close('value or ]', ', or ]');
    else if (byte === 0x2c) this.readComma();
    else if (byte === 0x3a) this.readColon();
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.readNumber();
    else this.readLiteral();
  }

  private open(level: Level, expected: Expected): void {
    const value = 'object' in level ? level.object : level.array;
    this.store(value);
    this.levels.push(level);
    if (this.levels.length > this.bounds.depth + TOLERANCE.depth) {
      throw this.exceeded(
        `must not be nested deeper than ${this.bounds.depth} levels`,
        this.levels.length - 1,
      );
    }
    this.expected = expected;
    this.position += 1;
  }

  private close(whenEmpty: Expected, whenFilled: Expected): void {
    if (this.expected !== whenEmpty && this.expected !== whenFilled) throw this.malformed();
    this.levels.pop();
    this.expectNext();
    this.position += 1;
  }

  private readComma(): void {
    const level = this.levels.at(-1);
    if (this.expected === ', or }') this.expected = 'name';
    else if (this.expected === ', or ]' && level !== undefined && 'array' in level) {
      level.step += 1;
      if (level.step >= this.bounds.items + TOLERANCE.items) {
        throw this.exceeded(`must have at most ${this.bounds.items} items`, this.levels.length - 1);
      }
      this.expected = 'value';
    } else throw this.malformed();
    this.position += 1;
  }

  private readColon(): void {
    if (this.expected !== ':') throw this.malformed();
    this.expected = 'value';
    this.position += 1;
  }

  private readString(): void {
    const isName = this.expected === 'name' || this.expected === 'name or }';
    if (!isName) this.expectValue();
    const text = this.decodeString();
    if (isName) this.readName(text);
    else {
      this.store(text);
      this.expectNext();
    }
  }

  /** Returns the string that starts at the current position, and moves the position behind the string. */
  private decodeString(): string {
    const { bytes } = this;
    const start = this.position;
    // This loop accepts twice the bound: a character outside the basic multilingual plane can be written as two `\u` escapes, which the
    // loop counts as two characters. The schema limits the exact length later.
    const longest = 2 * this.bounds.characters;
    let characters = 0;
    let isEscaped = false;
    let isAscii = true;
    let index = start + 1;
    for (; bytes[index] !== QUOTE; index++) {
      const byte = bytes[index];
      if (byte === undefined || byte < 0x20) throw this.malformed(index);
      if (byte === BACKSLASH) {
        isEscaped = true;
        index += bytes[index + 1] === 0x75 ? 5 : 1;
      }
      if (byte >= 0x80) isAscii = false;
      if ((byte & 0xc0) !== 0x80 && ++characters > longest) {
        throw this.exceeded(
          `must have at most ${this.bounds.characters} characters, the most that a text of this body may have`,
        );
      }
    }
    this.position = index + 1;
    if (!isEscaped) return bytes.toString(isAscii ? 'latin1' : 'utf8', start + 1, index);
    try {
      return JSON.parse(bytes.toString('utf8', start, index + 1));
    } catch {
      throw this.malformed(start);
    }
  }

  private readName(name: string): void {
    const level = this.levels.at(-1);
    if (level === undefined || !('object' in level)) throw this.malformed();
    level.step = name;
    if (level.names.has(name)) this.addProblem('is given twice');
    else if (name === '__proto__') this.addProblem('is not known here');
    level.names.add(name);
    if (level.names.size > this.bounds.fields + TOLERANCE.fields) {
      throw this.exceeded(`must have at most ${this.bounds.fields} fields`, this.levels.length - 1);
    }
    this.expected = ':';
  }

  private readNumber(): void {
    this.expectValue();
    const start = this.position;
    let end = start + 1;
    while (isNumberByte(this.bytes[end]) && end - start <= MAX_NUMBER_BYTES) end++;
    if (end - start > MAX_NUMBER_BYTES) throw this.exceeded(INEXACT);
    const text = this.bytes.toString('latin1', start, end);
    if (!NUMBER.test(text)) throw this.malformed();
    if (!isExact(text)) this.addProblem(INEXACT);
    this.store(Number(text));
    this.expectNext();
    this.position = end;
  }

  private readLiteral(): void {
    this.expectValue();
    const ahead = this.bytes.toString('latin1', this.position, this.position + 5);
    const found = LITERALS.find(([text]) => ahead.startsWith(text));
    if (found === undefined) throw this.malformed();
    const [text, value] = found;
    this.store(value);
    this.expectNext();
    this.position += text.length;
  }

  private expectValue(): void {
    if (this.expected !== 'value' && this.expected !== 'value or ]') throw this.malformed();
  }

  private expectNext(): void {
    const level = this.levels.at(-1);
    this.expected = level === undefined ? 'nothing' : 'object' in level ? ', or }' : ', or ]';
  }

  /** Stores a value in the open object or array, or as the root. */
  private store(value: unknown): void {
    this.expectValue();
    if (++this.values > this.bounds.values + TOLERANCE.values) {
      throw this.exceeded(`must hold at most ${this.bounds.values} values in all`, 0);
    }
    const level = this.levels.at(-1);
    if (level === undefined) this.root = value;
    else if ('array' in level) level.array.push(value);
    // The name `__proto__` was already reported as a problem. It is not assigned, because an assignment would change the prototype.
    else if (level.step !== '__proto__') level.object[level.step] = value;
  }

  /** Adds a problem about the current value to the result. Parsing continues. */
  private addProblem(message: string): void {
    if (this.problems.length <= MAX_PROBLEMS) this.problems.push(problem(this.pointer(), message));
  }

  private exceeded(message: string, depth = this.levels.length): Rejected {
    return new Rejected(problem(this.pointer(depth), message));
  }

  /** Returns a problem whose message quotes nothing from the text, because the text can name a person. */
  private malformed(at = this.position): Rejected {
    const where = at < this.bytes.length ? `it is broken at byte ${at + 1}` : 'it ends too early';
    return new Rejected(problem('', `must be JSON: ${where}`));
  }

  private pointer(depth = this.levels.length): string {
    return this.levels
      .slice(0, depth)
      .map(({ step }) => pointerStep(step))
      .join('');
  }
}

/**
 * Parses a body within bounds, a long one in several turns of the event loop. The pointer of a problem is empty if the problem
 * belongs to no field.
 *
 * @param bounds bounds of the operation, see `bodyBounds`
 * @example await parseStrictJson(Buffer.from('{"amount":1}'), bodyBounds(operations.createSettlement))
 */
export async function parseStrictJson(bytes: Buffer, bounds: BodyBounds): Promise<ParsedJson> {
  const reader = new StrictJsonReader(bytes, bounds);
  for (;;) {
    const parsed = computeAtCost(() => reader.readSlice());
    if (parsed !== undefined) return parsed;
    await nextTurn();
  }
}
