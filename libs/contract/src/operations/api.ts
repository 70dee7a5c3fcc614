// Discovery and tokens: what the gateway answers by itself.
import { TokenInput } from '../inputs/access';
import { AnyQuery, NoQuery } from '../inputs/queries';
import { NoParams, operation } from '../operation';
import { Api } from '../resources/api';
import { Token } from '../resources/token';

export const apiOperations = {
  getApi: operation({
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
  createToken: operation({
    method: 'POST',
    path: '/tokens',
    tag: 'Tokens',
    summary: 'Make a token for a public client',
    description: 'The token is shown once and dies with its key. A repetition makes another token.',
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
