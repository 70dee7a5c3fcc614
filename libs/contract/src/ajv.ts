// The one ajv instance: strict, every error, nothing coerced, no default filled in, nothing removed. That every error is
// collected is safe for bodies alone whose number of values is bounded before (body-bounds.ts).
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { fullFormats } from 'ajv-formats/dist/formats';
import type { TSchema } from 'typebox';
import { MAX_WEBHOOK_URL_LENGTH } from './limits';
import { tryParseInstant } from './time';

const uriFormat = fullFormats.uri;

function isUri(text: string): boolean {
  // The length first: the expression's cost may grow faster than the text.
  if (text.length > MAX_WEBHOOK_URL_LENGTH) return false;
  return typeof uriFormat === 'function' && uriFormat(text) && URL.canParse(text);
}

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  discriminator: true,
  validateSchema: false,
  addUsedSchema: false,
  verbose: true,
  formats: {
    'date-time': { type: 'string', validate: (text: string) => tryParseInstant(text) !== undefined },
    uri: { type: 'string', validate: isUri },
  },
});

/** Compiles a schema. After a value is rejected, the errors are in the validator's `errors` until its next use. */
export function compile(schema: TSchema): ValidateFunction {
  return ajv.compile(schema);
}

/** A validator that is compiled when it is first used. */
export function lazily(schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => {
    compiled ??= compile(schema);
    return compiled;
  };
}
