// The operations that the gateway executes: the entry point of the API (`GET /`) and the creation of tokens.
import { TokenInput } from '../inputs/access';
import { AnyQuery, NoQuery } from '../inputs/queries';
import { Api } from '../resources/api';
import { Token } from '../resources/token';
import { defineOperation, NoParams } from './definition';

export const apiOperations = {
  getApi: defineOperation({
    method: 'GET',
    path: '/',
    tag: 'API',
    summary: 'Describe the API',
    description: "The version, the key's environment and the resource areas.",
    service: 'gateway',
    scope: 'any key',
    params: NoParams,
    query: AnyQuery,
    success: [{ status: 200, schema: Api }],
    codes: [],
    idempotencyKey: 'none',
  }),
  createToken: defineOperation({
    method: 'POST',
    path: '/tokens',
    tag: 'Tokens',
    summary: 'Create a token for a public client',
    description:
      'Only this response contains the token. It is valid until it expires or its key becomes invalid. A repeated request creates another token.',
    service: 'gateway',
    scope: 'secret key',
    params: NoParams,
    query: NoQuery,
    body: TokenInput,
    success: [{ status: 201, schema: Token }],
    codes: ['validation_failed'],
    idempotencyKey: 'ignored',
    creates: true,
  }),
};
