/** A row of a file as the write that the API would receive, under a key that every run of the file makes again. */
import { createHash, randomUUID } from 'node:crypto';
import type { Environment, SettlementInput } from '@carecover/contract';
import { type Call, requestHash, storedTenant } from '@carecover/platform';

/** Whose file it is, and who brings it in. */
export interface ImportAuthor {
  readonly tenant: string;
  readonly environment: Environment;
  /** As decisions record it, such as `operator:ana`. */
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
