/**
 * Creates a remittance: one database transaction posts either all of the advice's allocations or none. Then claims records it.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a remittance that is committed is recorded in claims later.
 */

import { type JsonResponse, keepRejection, type Written, writeOnce } from '@carecover/commands';
import { parseInstant, type RemittanceInput } from '@carecover/contract';
import { ApiError, type Caller, newId, requireVisibleReference, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Query, Tx } from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import type { Notification } from '@carecover/workflow-remittance';
import { remittanceResource } from '../resources';
import { evaluateAdvice, rejectUnknownClaims, totalOf } from '../rules/allocation';
import type { ClaimAccount } from '../rules/chart-of-accounts';
import { lockAccounts } from '../store/accounts';
import { type AdviceContext, insertRemittance, readAdviceContext } from '../store/remittances';
import { deliverBeforeResponse, type RemittanceDeps } from './deliver-notifications';

/** What the creation of a remittance calls. */
export interface CreationDeps extends RemittanceDeps {
  /** Time from a remittance's creation to its deadline for settlement, in milliseconds. */
  readonly waitMs: number;
}

/** Thrown by the transaction if only the claims service knows whether claims of the advice exist. */
class ClaimsWithoutAccount extends Error {
  override readonly name = 'ClaimsWithoutAccount';

  constructor(readonly claimIds: readonly string[]) {
    super('claims of the advice have no account');
  }
}

/**
 * Creates a remittance. Claims without an account were never adjudicated; the claims service is asked which of them exist.
 *
 * @throws ApiError resource_not_found, validation_failed, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
 *   claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state; idempotency_conflict, service_unavailable
 */
export async function createRemittance(
  deps: CreationDeps,
  call: Call<'createRemittance'>,
): Promise<JsonResponse> {
  const { caller } = call;
  requireVisibleReference('/payer_reference', call.body.payer_reference);
  let id = newId('rem_');
  let notification: Notification | undefined;
  const write = (knownClaims: readonly string[] | null) =>
    writeOnce(
      deps.sql,
      call,
      call.replayStatus,
      async (tx, fetched: Fetched) => {
        requireKnown(call.body, fetched, knownClaims);
        const created = await record(tx, caller, id, call.body, fetched, deps.waitMs);
        notification = created.notification;
        return created.written;
      },
      (tx) => fetchForAdvice(tx, caller.tenant, call.body),
    );
  const reply = await keepRejection(deps.sql, call, id, async () => {
    try {
      return await write(null);
    } catch (error) {
      if (!(error instanceof ClaimsWithoutAccount)) throw error;
      const { tenant, requestId } = caller;
      return write(await deps.claims.knownClaims({ tenant, claimIds: error.claimIds }, requestId));
    }
  });
  if (reply.replayed) ({ id } = JSON.parse(reply.text));
  return deliverBeforeResponse(deps, caller, id, notification && [notification], reply);
}

/** The values that are read after the insert of the command's row, in the same pipeline. */
type Fetched = readonly [accounts: ReadonlyMap<string, ClaimAccount>, context: AdviceContext];

function fetchForAdvice(tx: Tx, tenant: Tenant, advice: RemittanceInput): Query<Fetched> {
  const claimIds = advice.allocations.map(({ claim_id }) => claim_id);
  return tx.pipeline([lockAccounts(tx, tenant, claimIds), readAdviceContext(tx, tenant, advice)]);
}

/**
 * @param knownClaims those of the advice's claims without an account that exist in claims; null if claims was not asked yet
 * @throws ClaimsWithoutAccount; ApiError resource_not_found, claim_not_adjudicated
 */
function requireKnown(
  advice: RemittanceInput,
  [accounts]: Fetched,
  knownClaims: readonly string[] | null,
): void {
  const claimIds = [...new Set(advice.allocations.map(({ claim_id }) => claim_id))];
  const withoutAccount = claimIds.filter((claimId) => !accounts.has(claimId));
  if (withoutAccount.length > 0 && knownClaims === null) throw new ClaimsWithoutAccount(withoutAccount);
  rejectUnknownClaims(advice, withoutAccount, knownClaims ?? []);
}

async function record(
  tx: Tx,
  { tenant, environment, authority, requestId }: Caller,
  id: string,
  advice: RemittanceInput,
  [accounts, { now, is_reference_used, claims_at_limit }]: Fetched,
  waitMs: number,
): Promise<{ readonly written: Written; readonly notification: Notification }> {
  const { currency } = advice;
  const total = totalOf(advice);
  if (is_reference_used) throw duplicateReference();
  const receivedAt = parseInstant(advice.received_at);
  const allocations = advice.allocations.map(({ claim_id, paid_amount }) => ({
    claimId: claim_id,
    amount: paid_amount,
  }));
  evaluateAdvice({ currency, receivedAt, allocations }, accounts, claims_at_limit, now.getTime());
  const versions = new Map([...accounts].map(([claimId, account]) => [claimId, account.adjudicationVersion]));
  const notification = notificationOf(id, tenant, advice, versions);
  const row = {
    id,
    project_id: tenant,
    environment,
    payer_reference: advice.payer_reference,
    currency,
    total,
    received_at: new Date(receivedAt),
    deadline: new Date(now.getTime() + waitMs),
    created_at: now,
  };
  // Another transaction can have committed a remittance with this payer_reference after `is_reference_used` was read, so the insert checks
  // the reference again.
  if (!(await insertRemittance(tx, row, advice.allocations, versions, notification)))
    throw duplicateReference();
  const body = remittanceResource({
    ...row,
    status: 'received',
    reconciled_at: null,
    version: 1,
    allocations: advice.allocations.map(({ claim_id, paid_amount, reason_codes = [] }) => ({
      claim_id,
      paid_amount,
      reason_codes,
    })),
  });
  const change = { what: 'received', at: now.toISOString(), actor: authority, requestId };
  const writes = [signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }])];
  return { written: { status: 201, body, resourceId: id, writes }, notification };
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_remittance_reference', '/payer_reference was used for another remittance.');
}

function notificationOf(
  remittanceId: string,
  tenant: Tenant,
  advice: RemittanceInput,
  versions: ReadonlyMap<string, number>,
): Notification {
  return {
    kind: 'remittance',
    causeId: remittanceId,
    input: {
      tenant,
      remittanceId,
      receivedAt: new Date(parseInstant(advice.received_at)).toISOString(),
      allocations: advice.allocations.map(({ claim_id, paid_amount, reason_codes }) => ({
        claimId: claim_id,
        amount: paid_amount,
        reasonCode: reason_codes?.[0] ?? null,
        adjudicationVersion: versions.get(claim_id) ?? 0,
      })),
    },
  };
}
