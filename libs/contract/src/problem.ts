// A validator's errors in words: where in the request, and what was expected there.
import type { ErrorObject } from 'ajv';
import { MAX_PROBLEMS } from './limits';
import type { Problem, Problems } from './operation';
import { isPlainText, pointerStep } from './text';

/** Pointers name what the caller sent; a hostile name must not blow up the answer. */
const MAX_POINTER_LENGTH = 200;

function readable(value: unknown): string {
  return JSON.stringify(value);
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(readable).join(', ') : readable(values);
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

/** The values by which the alternatives of a discriminated union are told apart. */
function discriminatorValues(error: ErrorObject): unknown[] {
  const alternatives: unknown = error.parentSchema?.oneOf;
  const { tag } = error.params;
  if (!Array.isArray(alternatives)) return [];
  return alternatives.map((alternative) => alternative.properties[tag].const);
}

function counted(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function formatName(format: unknown): string {
  return format === 'date-time' ? 'an RFC 3339 date-time with an offset' : `a ${format}`;
}

/** The words for each keyword that the contract's schemas use. */
const wording: Record<string, (error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  type: ({ params }) => `must be ${typeName(params.type)}`,
  enum: ({ params }) => `must be one of ${listed(params.allowedValues)}`,
  const: ({ params }) => `must be ${readable(params.allowedValue)}`,
  discriminator: (error) => `must be one of ${listed(discriminatorValues(error))}`,
  pattern: ({ params }) => `must match ${params.pattern}`,
  format: ({ params }) => `must be ${formatName(params.format)}`,
  minLength: ({ params }) => `must have at least ${counted(params.limit, 'character')}`,
  maxLength: ({ params }) => `must have at most ${counted(params.limit, 'character')}`,
  minItems: ({ params }) => `must have at least ${counted(params.limit, 'item')}`,
  maxItems: ({ params }) => `must have at most ${counted(params.limit, 'item')}`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  exclusiveMinimum: ({ params }) => `must be greater than ${params.limit}`,
};

/** The place that an error is about: for a missing, unknown or discriminating field, that field. */
function pointerOf(error: ErrorObject): string {
  const { keyword, params, instancePath } = error;
  if (keyword === 'required') return instancePath + pointerStep(params.missingProperty);
  if (keyword === 'additionalProperties') return instancePath + pointerStep(params.additionalProperty);
  if (keyword === 'discriminator') return instancePath + pointerStep(params.tag);
  return instancePath;
}

/** Whether an error says more than those of the same place: the words of an enumeration tell the type too. */
function isMostTelling({ keyword }: ErrorObject): boolean {
  return keyword === 'enum' || keyword === 'const';
}

function toProblem(error: ErrorObject, root: string): Problem {
  return problem(root + pointerOf(error), wording[error.keyword]?.(error) ?? error.message ?? 'is not valid');
}

/**
 * Translates a validator's errors: one problem per place, in the order found, at most one more than an
 * error names.
 *
 * @param root prefix of every pointer: `/query`, `/path`, `/headers`, or empty for a body
 * @throws TypeError if there are no errors
 */
export function toProblems(errors: readonly ErrorObject[] | null | undefined, root: string): Problems {
  const places = new Map<string, ErrorObject[]>();
  for (const error of errors ?? []) {
    const place = pointerOf(error);
    const known = places.get(place);
    if (known !== undefined) known.push(error);
    else if (places.size > MAX_PROBLEMS) break;
    else places.set(place, [error]);
  }
  const [first, ...others] = [...places.values()].map((all) => {
    const telling = all.filter(isMostTelling);
    const chosen = (telling.length > 0 ? telling : all).map((error) => toProblem(error, root));
    const messages = [...new Set(chosen.map(({ message }) => message))];
    return { pointer: chosen[0]?.pointer ?? root, message: messages.join(' and ') };
  });
  if (first === undefined) throw new TypeError('the validator found nothing');
  return [first, ...others];
}

/** A problem at a place. The pointer is cut to a length that is fit for an answer. */
export function problem(pointer: string, message: string): Problem {
  const cut = pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer;
  return { pointer: isPlainText(cut) ? cut : JSON.stringify(cut).slice(1, -1), message };
}

/** Combines the problems of several parts of a request: the first of each place. */
export function onePerPlace(problems: readonly Problem[]): Problem[] {
  const places = new Map<string, Problem>();
  for (const each of problems) if (!places.has(each.pointer)) places.set(each.pointer, each);
  return [...places.values()];
}

/**
 * Writes problems as an error's message: at most {@link MAX_PROBLEMS}, and whether there are more.
 *
 * @example problemMessage([{ pointer: '/amount', message: 'must be at least 1' }]) // '/amount must be at least 1'
 */
export function problemMessage(problems: readonly Problem[]): string {
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ pointer, message }) => (pointer === '' ? `The body ${message}` : `${pointer} ${message}`));
  return [...told, ...(problems.length > MAX_PROBLEMS ? ['and more'] : [])].join('; ');
}
