// The body of every API error.

import { type Static, Type } from 'typebox';
import { type ErrorCode, errorCodes } from '../errors';
import { closedObject, inlineObject, stringEnum } from '../schema';

export const ErrorEnvelope = closedObject(
  'Error',
  'An API error. Branch on `code`. The message is for people and can change.',
  {
    error: inlineObject('The error.', {
      code: stringEnum(
        'ErrorCode',
        Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]],
        'The stable code.',
      ),
      message: Type.String({
        description: 'A message for people. It names an invalid field as a JSON pointer.',
      }),
      docs: Type.String({ format: 'uri', description: 'The URL of the explanation of the code.' }),
    }),
  },
  {
    error: {
      code: 'validation_failed',
      message: '/query/limit must be at most 100',
      docs: 'https://api.example.com/docs/errors#validation_failed',
    },
  },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
