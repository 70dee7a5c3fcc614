/** The operations that the gateway answers itself: what the API is, and tokens for public clients. */
import {
  type Api,
  isSubset,
  problemMessage,
  resourceAreas,
  type Token,
  type TokenInput,
} from '@carecover/contract';
import { ApiError, type Sql } from '@carecover/platform';
import { JSON_CONTENT } from './answers';
import { credentialHash, newCredential } from './credential';
import { admissionOf, type GatewayContext } from './request-state';
import type { Admission } from './store/admission';
import { insertToken } from './store/tokens';

function describeApi({ environment }: Admission): Api {
  return { object: 'api', version: 'v1', environment, resources: [...resourceAreas] };
}

/** A token with a part of its key's scopes; shown this once. @throws ApiError validation_failed where it asks for more */
async function createToken(sql: Sql, caller: Admission, input: TokenInput): Promise<Token> {
  const beyond = input.scopes.flatMap((scope, index) =>
    isSubset([scope], caller.scopes)
      ? []
      : [{ pointer: `/scopes/${index}`, message: 'must be one of the scopes of the key' }],
  );
  if (beyond.length > 0) throw new ApiError('validation_failed', `${problemMessage(beyond)}.`);
  const token = newCredential('token', caller.environment);
  const scopes = [...new Set(input.scopes)];
  const expiresAt = await insertToken(sql, {
    secretHash: credentialHash(token),
    keyId: caller.keyId,
    keyGeneration: caller.keyGeneration,
    scopes,
    resourceIds: input.resource_ids ?? null,
    lifetimeSeconds: input.expires_in,
  });
  return { object: 'token', token, scopes, expires_at: expiresAt.toISOString() };
}

function send(ctx: GatewayContext, status: number, body: Api | Token): void {
  ctx.status = status;
  ctx.type = JSON_CONTENT;
  ctx.body = JSON.stringify(body);
}

/** Answers GET / and POST /tokens. */
export function ownOperations(sql: Sql) {
  return {
    getApi: async (ctx: GatewayContext) => send(ctx, 200, describeApi(admissionOf(ctx))),
    createToken: async (ctx: GatewayContext, input: TokenInput) =>
      send(ctx, 201, await createToken(sql, admissionOf(ctx), input)),
  };
}
