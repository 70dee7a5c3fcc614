// Carecover's only ajv instance. It is strict, reports every error, and never changes the value that it validates.
// Collecting every error is safe because body-bounds.ts limits the number of values of a body first.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { MAX_WEBHOOK_URL_LENGTH } from './limits';
import { parseUrl } from './text';
import { tryParseInstant } from './time';

const uriFormat = formats.get('uri');

function isUri(text: string): boolean {
  // The length is checked first, because the cost of the regular expression can grow faster than the text's length.
  if (text.length > MAX_WEBHOOK_URL_LENGTH) return false;
  return typeof uriFormat === 'function' && uriFormat(text) && parseUrl(text) !== undefined;
}

let instance: Ajv2020 | undefined;

/** Returns the instance, which is made at the first use: most commands of the CLI validate nothing. */
function ajv(): Ajv2020 {
  instance ??= new Ajv2020({
    strict: true,
    allErrors: true,
    discriminator: true,
    validateSchema: false,
    addUsedSchema: false,
    verbose: true,
    // Without ajv's pass that shortens the generated code, compilation takes 40 % less time, and validation takes the same time.
    code: { optimize: false },
    formats: {
      'date-time': { type: 'string', validate: (text: string) => tryParseInstant(text) !== undefined },
      uri: { type: 'string', validate: isUri },
      // For generators of clients. The bounds of the schema are narrower.
      int64: true,
      double: true,
    },
  });
  return instance;
}

/** Compiles a schema to a validator. The errors of a rejected value are in the validator's `errors` until its next call. */
export function compileSchema(schema: TSchema): ValidateFunction {
  return ajv().compile(schema);
}

/** Returns a function that compiles the schema at its first call and returns the same validator at every call. */
export function compileLazily(schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => {
    compiled ??= compileSchema(schema);
    return compiled;
  };
}
