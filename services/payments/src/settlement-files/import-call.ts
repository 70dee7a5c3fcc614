/** Converts a row of a file to an API call. Every run of a file makes the same idempotency key. */
import { createHash, randomUUID } from 'node:crypto';
import type { Environment, SettlementInput } from '@carecover/contract';
import { type Call, requestHash, storedTenant } from '@carecover/platform';

/** The project of a file, and who imports it. */
export interface ImportAuthor {
  readonly tenant: string;
  readonly environment: Environment;
  /** As facts record it, such as `operator:ana`. */
  readonly authority: string;
}

export async function importCall(
  author: ImportAuthor,
  body: SettlementInput,
): Promise<Call<'createSettlement'>> {
  const reference = createHash('sha256').update(body.source_reference).digest('hex');
  return {
    operation: 'createSettlement',
    caller: {
      tenant: storedTenant(author.tenant),
      environment: author.environment,
      authority: author.authority,
      requestId: randomUUID(),
      resourceIds: null,
      consentDefault: 'withdrawn',
      endpointLimit: 0,
    },
    params: {},
    query: {},
    body,
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: `settlement-file:${reference}`,
    requestHash: await requestHash('settlement-file', body, 'settlement-file'),
    replayStatus: 201,
  };
}
