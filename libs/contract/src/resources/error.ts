// The one shape of every error answer.
import Type, { type Static } from 'typebox';
import { type ErrorCode, errorCodes } from '../errors';
import { closedObject, oneOf, part } from '../schema';

export const ErrorEnvelope = closedObject(
  'Error',
  'An error. Branch on `code`; the message is for people and may change.',
  {
    error: part('What went wrong.', {
      code: oneOf(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]], 'The stable code.'),
      message: Type.String({ description: 'For people; names the offending field as a JSON pointer.' }),
      docs: Type.String({ format: 'uri', description: 'Where the code is explained.' }),
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
