/** The operations that the gateway executes: the entry point of the API (`GET /`) and the creation of tokens. */
import {
  type Api,
  isSubset,
  problemMessage,
  resourceAreas,
  type Token,
  type TokenInput,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { createCredential, hashCredential } from './credential';
import { admissionOf, type GatewayContext } from './request-state';
import { JSON_CONTENT } from './response-envelope';
import type { Admission } from './store/admissions';
import { insertToken } from './store/tokens';

function describeApi({ environment }: Admission): Api {
  return { object: 'api', version: 'v1', environment, resources: [...resourceAreas] };
}

/** Creates a token with some of its key's scopes. @throws ApiError validation_failed for a scope that the key lacks */
export async function createToken(sql: Sql, caller: Admission, input: TokenInput): Promise<Token> {
  const missing = input.scopes.flatMap((scope, index) =>
    isSubset([scope], caller.scopes)
      ? []
      : [{ pointer: `/scopes/${index}`, message: 'must be one of the scopes of the key' }],
  );
  if (missing.length > 0) throw new ApiError('validation_failed', `${problemMessage(missing)}.`);
  const token = createCredential('token', caller.environment);
  const scopes = [...new Set(input.scopes)];
  const expiresAt = await insertToken(sql, {
    secretHash: hashCredential(token),
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

/** Creates the handlers of GET / and POST /tokens. */
export function createOwnOperations(sql: Sql) {
  return {
    getApi: async (ctx: GatewayContext) => send(ctx, 200, describeApi(admissionOf(ctx))),
    createToken: async (ctx: GatewayContext, input: TokenInput) =>
      send(ctx, 201, await createToken(sql, admissionOf(ctx), input)),
  };
}
