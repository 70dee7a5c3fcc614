// A validator's finding in words: where in the request, and what is asked for there.
import type { ErrorObject } from 'ajv';
import type { Problem } from './operation';
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

/** A validator's first finding, with its pointer below the given root (`/query`, `/path`, `/headers`, or empty for a body). */
export function toProblem(errors: readonly ErrorObject[] | null | undefined, root: string): Problem {
  const error = errors?.[0];
  if (error === undefined) throw new TypeError('the validator found nothing');
  return problem(root + pointerOf(error), wording[error.keyword]?.(error) ?? error.message ?? 'is not valid');
}

/** A problem at a place. The pointer is cut to a length that is fit for an answer. */
export function problem(pointer: string, message: string): Problem {
  const cut = pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer;
  return { pointer: isPlainText(cut) ? cut : JSON.stringify(cut).slice(1, -1), message };
}

/** The problem as an error's message. */
export function problemMessage({ pointer, message }: Problem): string {
  return pointer === '' ? `The body ${message}` : `${pointer} ${message}`;
}
