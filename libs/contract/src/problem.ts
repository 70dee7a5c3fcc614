// Converts a validator's errors to problems: the JSON pointer of an invalid field, and what was expected there.
import type { ErrorObject } from 'ajv';
import {
  type IdentifierKind,
  identifierNouns,
  identifierPrefixes,
  kindOfIdentifier,
  kindOfIdentifierPattern,
} from './identifiers';
import { MAX_PROBLEMS } from './limits';
import type { Problem, Problems } from './operations/definition';
import { isMoneyAmount, SMALLEST_POSITIVE } from './schema';
import { isPlainText, pointerStep } from './text';

/** Maximum length of a problem's pointer. Pointers contain names that the client sent, which must not make the response large. */
const MAX_POINTER_LENGTH = 200;

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

function joinValues(values: unknown): string {
  return Array.isArray(values) ? values.map(toJson).join(', ') : toJson(values);
}

function typeName(type: unknown): string {
  const names: Record<string, string> = {
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
    null: 'null',
  };
  const types = Array.isArray(type) ? type : [type];
  return types.map((name) => names[String(name)] ?? String(name)).join(' or ');
}

/** Returns the values of the discriminator, one per alternative of the union. */
function discriminatorValues(error: ErrorObject): unknown[] {
  const alternatives: unknown = error.parentSchema?.oneOf;
  const { tag } = error.params;
  if (!Array.isArray(alternatives)) return [];
  return alternatives.map((alternative) => alternative.properties[tag].const);
}

function formatCount(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

/** Matches an instant whose offset has a space in place of its `+`: a `+` that is not encoded means a space in a query string. */
const LOST_PLUS = /T.* \d\d:?\d\d$/;
/** The expression takes quadratic time, so it is applied only to texts that can be an instant. */
const MAX_INSTANT_LENGTH = 64;

const LEAP_SECOND = /T\d\d:\d\d:60/;

function dateTimeHint(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_INSTANT_LENGTH) return '';
  if (LOST_PLUS.test(value)) return ': encode + as %2B in a query';
  return LEAP_SECOND.test(value) ? ': a leap second (:60) is not accepted' : '';
}

function expectedFormat(format: unknown, value: unknown): string {
  return format === 'date-time'
    ? `an RFC 3339 date-time with an offset${dateTimeHint(value)}`
    : `a ${format}`;
}

/** Returns the name of a kind of resource with its article, such as `an event`. */
function withArticle(kind: IdentifierKind): string {
  const noun = identifierNouns[kind];
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Names the resource whose identifier was given in place of another one's. The value itself is not in the message. */
function expectedPattern({ params, data }: ErrorObject): string {
  const expected = kindOfIdentifierPattern(params.pattern);
  const given = expected && kindOfIdentifier(data);
  return expected === undefined || given === undefined
    ? `must match ${params.pattern}`
    : `must be the ID of ${withArticle(expected)} (${identifierPrefixes[expected]}…), not of ${withArticle(given)}`;
}

function expectedType({ params, parentSchema }: ErrorObject): string {
  const unit = isMoneyAmount(parentSchema) ? ' in minor units: 350000 is KES 3,500.00' : '';
  return `must be ${typeName(params.type)}${unit}`;
}

/** The message for each JSON Schema keyword that the contract uses. */
const messages: Record<string, (error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  type: expectedType,
  enum: ({ params }) => `must be one of ${joinValues(params.allowedValues)}`,
  const: ({ params }) => `must be ${toJson(params.allowedValue)}`,
  discriminator: (error) => `must be one of ${joinValues(discriminatorValues(error))}`,
  pattern: expectedPattern,
  format: ({ params, data }) => `must be ${expectedFormat(params.format, data)}`,
  minLength: ({ params }) => `must have at least ${formatCount(params.limit, 'character')}`,
  maxLength: ({ params }) => `must have at most ${formatCount(params.limit, 'character')}`,
  minItems: ({ params }) => `must have at least ${formatCount(params.limit, 'item')}`,
  maxItems: ({ params }) => `must have at most ${formatCount(params.limit, 'item')}`,
  minimum: ({ params }) =>
    params.limit === SMALLEST_POSITIVE ? 'must be greater than 0' : `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
};

/** Returns the JSON pointer of an error. The pointer of a missing or unknown field, or of a discriminator, ends with that field's name. */
function pointerOf(error: ErrorObject): string {
  const { keyword, params, instancePath } = error;
  if (keyword === 'required') return instancePath + pointerStep(params.missingProperty);
  if (keyword === 'additionalProperties') return instancePath + pointerStep(params.additionalProperty);
  if (keyword === 'discriminator') return instancePath + pointerStep(params.tag);
  return instancePath;
}

/** Returns whether the error makes other errors of the same pointer redundant: it lists the allowed values, which also show the type. */
function isSpecific({ keyword }: ErrorObject): boolean {
  return keyword === 'enum' || keyword === 'const';
}

function toProblem(error: ErrorObject, root: string): Problem {
  return problem(
    root + pointerOf(error),
    messages[error.keyword]?.(error) ?? error.message ?? 'is not valid',
  );
}

/**
 * Converts a validator's errors to problems: one per JSON pointer, in the order of the errors, at most MAX_PROBLEMS + 1.
 *
 * @param root prefix of every pointer: `/query`, `/path`, `/headers`, or empty for a body
 * @throws TypeError if there are no errors
 */
export function toProblems(errors: readonly ErrorObject[] | null | undefined, root: string): Problems {
  const byPointer = new Map<string, ErrorObject[]>();
  for (const error of errors ?? []) {
    const pointer = pointerOf(error);
    const earlier = byPointer.get(pointer);
    if (earlier !== undefined) earlier.push(error);
    else if (byPointer.size > MAX_PROBLEMS) break;
    else byPointer.set(pointer, [error]);
  }
  const [first, ...others] = [...byPointer.values()].map((all) => {
    const specific = all.filter(isSpecific);
    const chosen = (specific.length > 0 ? specific : all).map((error) => toProblem(error, root));
    const distinct = [...new Set(chosen.map(({ message }) => message))];
    return { pointer: chosen[0]?.pointer ?? root, message: distinct.join(' and ') };
  });
  if (first === undefined) throw new TypeError('the validator found no errors');
  return [first, ...others];
}

/** Creates a problem. The pointer is truncated, and its characters that a response can't contain are escaped. */
export function problem(pointer: string, message: string): Problem {
  const cut = pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer;
  return { pointer: isPlainText(cut) ? cut : JSON.stringify(cut).slice(1, -1), message };
}

/** Combines the problems of several parts of a request: keeps the first problem of each JSON pointer. */
export function firstPerPointer(problems: readonly Problem[]): Problem[] {
  const byPointer = new Map<string, Problem>();
  for (const each of problems) if (!byPointer.has(each.pointer)) byPointer.set(each.pointer, each);
  return [...byPointer.values()];
}

/**
 * Formats problems as an API error's message: at most {@link MAX_PROBLEMS}, and whether there are more.
 *
 * @example problemMessage([{ pointer: '/amount', message: 'must be at least 1' }]) // '/amount must be at least 1'
 */
export function problemMessage(problems: readonly Problem[]): string {
  const sentences = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ pointer, message }) => (pointer === '' ? `The body ${message}` : `${pointer} ${message}`));
  return [...sentences, ...(problems.length > MAX_PROBLEMS ? ['and more'] : [])].join('; ');
}
