// Tokens: short-lived credentials with a subset of a secret key's scopes, for browsers and mobile apps.

import { type Static, Type } from 'typebox';
import { closedObject, objectName, outputArray, outputInstant, stringEnum } from '../schema';
import { scopes, WILDCARD_SCOPE } from '../scopes';

export const Token = closedObject(
  'Token',
  'A token with scopes. Only this response contains it. It becomes invalid with the key that created it.',
  {
    object: objectName('token'),
    token: Type.String({ pattern: '^pt_(test|live)_', description: 'The token itself.' }),
    scopes: outputArray(
      stringEnum('Scope', [...scopes, WILDCARD_SCOPE], 'A scope.'),
      'The scopes of the token.',
    ),
    expires_at: outputInstant('When the token expires, by the real time.'),
  },
  {
    object: 'token',
    token: 'pt_test_EXAMPLE0000000000000000000000000000',
    scopes: ['practitioners:read', 'availability:read'],
    expires_at: '2025-02-20T10:30:00.000Z',
  },
);
export type Token = Static<typeof Token>;
