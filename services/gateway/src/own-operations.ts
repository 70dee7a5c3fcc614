/** The operations that the gateway executes: the entry point of the API (`GET /`), the creation of tokens, and test clocks. */
import {
  type Api,
  isSubset,
  type OperationId,
  problemMessage,
  resourceAreas,
  type SimulatedProject,
  type TestClock,
  type TestClockAdvanceInput,
  type TestClockInput,
  type Token,
  type TokenInput,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { Advances } from './clocks/advances';
import { advanceTestClock, clockCallerOf, createTestClock, getTestClock } from './clocks/operations';
import { createCredential, hashCredential } from './credential';
import type { CheckedRequest } from './request-check';
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

function send(ctx: GatewayContext, status: number, body: Api | SimulatedProject | TestClock | Token): void {
  ctx.status = status;
  ctx.type = JSON_CONTENT;
  ctx.body = JSON.stringify(body);
}

/** The handlers of the gateway's own operations, by operation. */
export type OwnOperations = Readonly<
  Partial<Record<OperationId, (ctx: GatewayContext, request: CheckedRequest) => Promise<void>>>
>;

/** Creates the handlers of the gateway's own operations. */
export function createOwnOperations(sql: Sql, advances: Advances): OwnOperations {
  return {
    getApi: async (ctx) => send(ctx, 200, describeApi(admissionOf(ctx))),
    createToken: async (ctx, { body }) =>
      send(ctx, 201, await createToken(sql, admissionOf(ctx), body as TokenInput)),
    createTestClock: async (ctx, { body }) =>
      send(ctx, 201, await createTestClock(sql, admissionOf(ctx), body as TestClockInput)),
    getTestClock: async (ctx) =>
      send(ctx, 200, await getTestClock(sql, advances, clockCallerOf(admissionOf(ctx)))),
    advanceTestClock: async (ctx, { body, headers }) => {
      const key = headers['Idempotency-Key'] ?? '';
      const input = body as TestClockAdvanceInput;
      const caller = clockCallerOf(admissionOf(ctx));
      const { clock, isReplayed } = await advanceTestClock(sql, advances, caller, key, input);
      if (isReplayed) ctx.set('Idempotent-Replayed', 'true');
      send(ctx, 202, clock);
    },
  };
}
