// The one ajv instance: strict, first finding only, nothing coerced, no default filled in, nothing removed.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { fullFormats } from 'ajv-formats/dist/formats';
import type { TSchema } from 'typebox';
import { tryParseInstant } from './time';

const uriFormat = fullFormats.uri;

function isUri(text: string): boolean {
  return typeof uriFormat === 'function' && uriFormat(text) && URL.canParse(text);
}

const ajv = new Ajv2020({
  strict: true,
  allErrors: false,
  discriminator: true,
  validateSchema: false,
  addUsedSchema: false,
  verbose: true,
  formats: {
    'date-time': { type: 'string', validate: (text: string) => tryParseInstant(text) !== undefined },
    uri: { type: 'string', validate: isUri },
  },
});

/** A validator of the schema. After a refusal, its findings are in `errors` until its next use. */
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
