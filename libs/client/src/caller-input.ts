/**
 * Checks what a program passes to the client, before a request is sent. No retry corrects an invalid value, so the call fails at once. An
 * error says what is wrong with the value, and never contains it: the value can be a secret or name a person.
 */

type Rule = readonly [pattern: RegExp, problem: string];

const LINE_END: Rule = [/[\r\n]/, 'it has a line end'];
const CONTROL: Rule = [/\p{Cc}/u, 'it has a control character'];
const SPACE: Rule = [/ /, 'it has a space'];
const OUTER_SPACE: Rule = [/^ | $/, 'it starts or ends with a space'];
const NOT_ASCII: Rule = [/\P{ASCII}/u, 'it has a character that is not ASCII'];

/** Returns what is wrong with a text of one line; null if nothing is. */
function findProblem(value: unknown, ...rules: readonly Rule[]): string | null {
  if (value === undefined || value === null) return `it is ${value}`;
  if (typeof value !== 'string') return `it is of the type ${typeof value}`;
  if (value === '') return 'it is empty';
  return [LINE_END, CONTROL, ...rules].find(([pattern]) => pattern.test(value))?.[1] ?? null;
}

/** Returns what is wrong with the text of a secret, such as a line end from the file that contains it; null if nothing is. */
export function findSecretProblem(secret: unknown): string | null {
  return findProblem(secret, NOT_ASCII, SPACE);
}

/** @throws TypeError if the value can't be a key or a token */
export function requireKey(key: unknown): void {
  const problem = findSecretProblem(key);
  if (problem !== null)
    throw new TypeError(`apiKey must be a secret key (sk_…) or a token (pt_…); ${problem}`);
}

function findUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, username, password } = new URL(text);
  if (!/^https?:$/.test(protocol)) return 'it does not start with https:// or http://';
  if (username !== '' || password !== '') return 'it has a user or a password';
  // A URL that ends in ? or # has an empty query or fragment, after which the path of a request would be no part of the path.
  return /[?#]/.test(text) ? 'it has a query or a fragment' : null;
}

/** @throws TypeError if the value is not the URL of an API */
export function requireBaseUrl(baseUrl: unknown): void {
  // The parser of URLs removes line ends, tabs and outer spaces, so they are looked for first.
  const problem = findProblem(baseUrl, SPACE) ?? findUrlProblem(String(baseUrl));
  if (problem !== null)
    throw new TypeError(
      `baseUrl must be the URL of the API with its version, such as https://localhost:8443/v1; ${problem}`,
    );
}

/** @throws TypeError if the value is given and is no time in milliseconds */
export function requireTimeout(timeoutMs: unknown): void {
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    throw new TypeError('timeoutMs must be a number of milliseconds above 0');
}

/** Checks headers by RFC 9110, sections 5.1 and 5.5, with values in ASCII only. @throws TypeError for the first invalid one */
export function requireHeaders(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new TypeError('the name of a header must be letters, digits and hyphens');
    const problem = findProblem(value, NOT_ASCII, OUTER_SPACE);
    if (problem !== null)
      throw new TypeError(
        `the header ${name} must be visible ASCII characters, with spaces only between them; ${problem}`,
      );
  }
}

/** Matches half of a surrogate pair, which UTF-8 can't represent: it would be replaced by another character. */
const HALF_PAIR = /\p{Surrogate}/u;

/** Returns whether JSON represents a value that has no members. `undefined` is omitted, as JSON.stringify does. */
function isJsonScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return !HALF_PAIR.test(value);
  return value === null || typeof value === 'boolean' || value === undefined;
}

/** Returns what is wrong with a value that is no scalar of JSON and is inside of `parents`; null if nothing is. */
function findJsonProblem(value: unknown, parents: readonly unknown[]): string | null {
  if (typeof value === 'number') return 'must be a finite number';
  if (typeof value === 'string') return 'must be text without half a surrogate pair';
  if (typeof value !== 'object') return `must be a JSON value, not a ${typeof value}`;
  return parents.includes(value) ? 'contains itself' : null;
}

/**
 * Converts the body of a request to JSON as JSON.stringify does, apart from values that it would omit or replace by null: functions, symbols
 * and numbers such as NaN.
 *
 * @throws TypeError that names the first field without a JSON value; an error of the body's own `toJSON` unchanged
 * @example serializeBody({ units: Number.NaN }) // throws: the body can't be sent as JSON: /units must be a finite number
 */
export function serializeBody(body: unknown): string {
  // The objects that contain the current value, from the outermost, and their names (the first one has none).
  const parents: unknown[] = [];
  const names: string[] = [];
  const fail = (problem: string) => {
    const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    return new TypeError(`the body can't be sent as JSON: ${pointer || 'it'} ${problem}`);
  };
  const json = JSON.stringify(body, function (this: unknown, name: string, value: unknown) {
    if (isJsonScalar(value)) return value;
    while (parents.length > 0 && parents.at(-1) !== this) parents.pop();
    names.length = Math.max(0, parents.length - 1);
    if (parents.length > 0) names.push(name);
    const problem = findJsonProblem(value, parents);
    if (problem !== null) throw fail(problem);
    parents.push(value);
    return value;
  });
  if (json === undefined) throw fail('must be a JSON value, not undefined');
  return json;
}
