// A short-lived credential with a part of a secret key's scopes, for browsers and mobile apps.
import Type, { type Static } from 'typebox';
import { closedObject, objectName, oneOf, outputInstant, outputItems } from '../schema';
import { scopes, WILDCARD_SCOPE } from '../scopes';

export const Token = closedObject(
  'Token',
  'A scoped token, shown once. It dies with the key that made it.',
  {
    object: objectName('token'),
    token: Type.String({ pattern: '^pt_(test|live)_', description: 'The token itself.' }),
    scopes: outputItems(oneOf([...scopes, WILDCARD_SCOPE], 'A scope.'), 'What it may do.'),
    expires_at: outputInstant('When it stops working.'),
  },
  {
    object: 'token',
    token: 'pt_test_EXAMPLE0000000000000000000000000000',
    scopes: ['practitioners:read', 'availability:read'],
    expires_at: '2027-02-20T10:30:00.000Z',
  },
);
export type Token = Static<typeof Token>;
