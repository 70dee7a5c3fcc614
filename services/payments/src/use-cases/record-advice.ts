/**
 * What the creations of remittances and payment advices, and the replacements of advices, call: one database transaction posts either all lines of an advice or none. Then claims
 * records them.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; an advice that is committed is recorded in claims later.
 */

import {
  type JsonResponse,
  keepRejection,
  type WriteRequest,
  type Written,
  writeOnce,
} from '@carecover/commands';
import { parseInstant, referenceSearchKey } from '@carecover/contract';
import { ApiError, type Caller, newId, requireVisibleReference, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { type Query, rolledBack, type Transactions, type Tx } from '@carecover/postgres';
import { signalsInsert } from '@carecover/temporal';
import type { Notification } from '@carecover/workflow-remittance';
import {
  type AdviceContent,
  claimsOf,
  evaluateAdvice,
  notificationsOf,
  rejectTooLarge,
  rejectUnbalanced,
  rejectUnknownClaims,
  sumsOf,
} from '../rules/advice';
import type { ClaimAccount } from '../rules/chart-of-accounts';
import { lockAccounts } from '../store/accounts';
import type { AdviceResourceRow } from '../store/payment-advices';
import { type AdviceContext, insertRemittance, readAdviceContext } from '../store/remittances';
import { applyDue } from './apply-due';
import { deliverBeforeResponse, type RemittanceDeps } from './deliver-notifications';

/** What the creation of an advice calls. */
export interface CreationDeps extends RemittanceDeps {
  /** Time from a remittance's creation to its deadline for settlement, in milliseconds. */
  readonly waitMs: number;
}

/** What the transaction that records an advice needs. */
export type AdviceDeps = Pick<CreationDeps, 'sql' | 'waitMs'> & {
  readonly claims: Pick<CreationDeps['claims'], 'knownClaims'>;
};

/** The call of an operation that records an advice. */
type AdviceCall = Pick<
  Call<'createRemittance' | 'createPaymentAdvice' | 'replacePaymentAdvice'>,
  'replayStatus' | keyof WriteRequest
>;

/** How the operation that records an advice shows it. */
interface Shown {
  /** The resource that the response has. */
  readonly toResource: (row: AdviceResourceRow) => { readonly id: string };
  /** Returns the ID of the remittance from the ID of this resource. */
  readonly toRemittanceId: (resourceId: string) => string;
}

/** The withdrawal of another advice in the transaction that records an advice, before it. */
export interface Preceding {
  /** The remittance of the withdrawn advice. */
  readonly remittanceId: string;
  /** Locks the withdrawn advice and all claims of both advices. */
  readonly lock: (tx: Tx, claimIds: readonly string[]) => Query<unknown>;
  /** Withdraws the advice. @param replacedBy the remittance of the advice that is recorded */
  readonly withdraw: (tx: Tx, commandId: string, replacedBy: string) => Promise<void>;
}

/** Thrown by the transaction if only the claims service knows whether claims of the advice exist. */
class ClaimsWithoutAccount extends Error {
  override readonly name = 'ClaimsWithoutAccount';

  constructor(readonly claimIds: readonly string[]) {
    super('claims of the advice have no account');
  }
}

/**
 * Records what a payer's advice says, and has claims record it.
 *
 * @throws ApiError service_unavailable, and the API errors of {@link commitAdvice}
 */
export async function recordAdvice(
  deps: CreationDeps,
  call: AdviceCall,
  advice: AdviceContent,
  shown: Shown,
  preceding: Preceding | null = null,
): Promise<JsonResponse> {
  const { caller } = call;
  const { reply, remittanceId, pending } = await commitAdvice(deps, call, advice, shown, preceding);
  if (preceding !== null) await deliverBeforeResponse(deps, caller, preceding.remittanceId, undefined, reply);
  return deliverBeforeResponse(deps, caller, remittanceId, pending, reply);
}

/**
 * Records what a payer's advice says, without waiting for claims. The remittance's workflow, which receives a signal, delivers the notifications. Claims without an account were never adjudicated; the claims service is asked which of them exist.
 *
 * @returns the response, and the remittance's pending notifications if this call has recorded the advice and they need not be read
 * @throws ApiError resource_not_found, validation_failed, advice_unbalanced, duplicate_remittance_reference, allocation_duplicate,
 *   over_recovery, future_timestamp, claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state; idempotency_conflict,
 *   service_unavailable; the errors of `preceding`
 */
export async function commitAdvice(
  deps: AdviceDeps,
  call: AdviceCall,
  advice: AdviceContent,
  shown: Shown,
  preceding: Preceding | null,
): Promise<{
  readonly reply: JsonResponse;
  readonly remittanceId: string;
  readonly pending: readonly Notification[] | undefined;
}> {
  checkContent(advice);
  const newRemittanceId = newId('rem_');
  const { reply, notifications } = await keepRejection(deps.sql, call, newRemittanceId, () =>
    writeAdvice(deps.sql, deps, call, newRemittanceId, advice, shown, preceding),
  );
  const remittanceId = reply.replayed ? shown.toRemittanceId(JSON.parse(reply.text).id) : newRemittanceId;
  // With a net of zero no transfer is expected, and all lines are settled at once. A net below zero waits until later advices deduct it.
  if (advice.net === 0) await applyDue(deps.sql, call.caller.tenant, remittanceId);
  return { reply, remittanceId, pending: advice.net === 0 ? undefined : notifications };
}

/** Decides whether what a payer's advice says can be recorded, and writes nothing. @throws the API errors of {@link commitAdvice} */
export async function checkAdvice(
  deps: AdviceDeps,
  call: AdviceCall,
  advice: AdviceContent,
  shown: Shown,
  preceding: Preceding | null = null,
): Promise<void> {
  checkContent(advice);
  await writeAdvice(rolledBack(deps.sql), deps, call, newId('rem_'), advice, shown, preceding);
}

/** @throws ApiError validation_failed */
function checkContent(advice: AdviceContent): void {
  requireVisibleReference('/payer_reference', advice.payer_reference);
  rejectTooLarge(advice);
}

/** Writes an advice in one transaction. The notifications are undefined if an earlier command with the key has written it. */
async function writeAdvice(
  transactions: Transactions,
  { claims, waitMs }: Omit<AdviceDeps, 'sql'>,
  call: AdviceCall,
  id: string,
  advice: AdviceContent,
  shown: Shown,
  preceding: Preceding | null,
): Promise<{ readonly reply: JsonResponse; readonly notifications: readonly Notification[] | undefined }> {
  const { caller } = call;
  let notifications: readonly Notification[] | undefined;
  const write = (knownClaims: readonly string[] | null) =>
    writeOnce(
      transactions,
      call,
      call.replayStatus,
      async (tx, locked: Fetched, commandId) => {
        await preceding?.withdraw(tx, commandId, id);
        // The withdrawal has changed the accounts, and whether the payer_reference is used.
        const fetched = preceding === null ? locked : await fetchForAdvice(tx, caller.tenant, advice);
        requireKnown(advice, fetched, knownClaims);
        rejectUnbalanced(advice);
        const recorded = await record(
          tx,
          caller,
          { id, replaces: preceding?.remittanceId ?? null },
          advice,
          fetched,
          waitMs,
          shown,
        );
        notifications = recorded.notifications;
        return recorded.written;
      },
      (tx) =>
        preceding === null
          ? fetchForAdvice(tx, caller.tenant, advice)
          : tx
              .pipeline([preceding.lock(tx, claimsOf(advice)), fetchForAdvice(tx, caller.tenant, advice)])
              .withResult(([, fetched]) => fetched),
    );
  try {
    return { reply: await write(null), notifications };
  } catch (error) {
    if (!(error instanceof ClaimsWithoutAccount)) throw error;
    const { tenant, requestId } = caller;
    const known = await claims.knownClaims({ tenant, claimIds: error.claimIds }, requestId);
    return { reply: await write(known), notifications };
  }
}

/** The values that are read after the insert of the command's row, in the same pipeline. */
type Fetched = readonly [accounts: ReadonlyMap<string, ClaimAccount>, context: AdviceContext];

function fetchForAdvice(tx: Tx, tenant: Tenant, advice: AdviceContent): Query<Fetched> {
  const claimIds = claimsOf(advice);
  return tx.pipeline([
    lockAccounts(tx, tenant, claimIds),
    readAdviceContext(tx, tenant, advice.payer_reference, claimIds),
  ]);
}

/**
 * @param knownClaims those of the advice's claims without an account that exist in claims; null if claims was not asked yet
 * @throws ClaimsWithoutAccount; ApiError resource_not_found
 */
function requireKnown(
  advice: AdviceContent,
  [accounts]: Fetched,
  knownClaims: readonly string[] | null,
): void {
  const withoutAccount = claimsOf(advice).filter((claimId) => !accounts.has(claimId));
  if (withoutAccount.length > 0 && knownClaims === null) throw new ClaimsWithoutAccount(withoutAccount);
  rejectUnknownClaims(advice, new Set(withoutAccount.filter((id) => !knownClaims?.includes(id))));
}

async function record(
  tx: Tx,
  { tenant, environment, authority, requestId }: Caller,
  { id, replaces }: { readonly id: string; readonly replaces: string | null },
  advice: AdviceContent,
  [accounts, { now, is_reference_used, claims_at_limit }]: Fetched,
  waitMs: number,
  { toResource }: Shown,
): Promise<{ readonly written: Written; readonly notifications: readonly Notification[] }> {
  if (is_reference_used) throw duplicateReference();
  evaluateAdvice(advice, accounts, claims_at_limit, now.getTime());
  const notifications = notificationsOf(id, tenant, advice, accounts);
  const { total, rest, forwarded } = sumsOf(advice);
  const row = {
    id,
    project_id: tenant,
    environment,
    payer_reference: advice.payer_reference,
    payer: advice.payer,
    payer_key: advice.payer === null ? null : referenceSearchKey(advice.payer),
    currency: advice.currency,
    total,
    rest,
    forwarded,
    received_at: new Date(parseInstant(advice.received_at)),
    deadline: new Date(now.getTime() + waitMs),
    created_at: now,
  };
  // Another transaction can have committed an advice with this payer_reference after `is_reference_used` was read, so the insert checks
  // the reference again.
  if (!(await insertRemittance(tx, row, advice, accounts, notifications))) throw duplicateReference();
  const body = toResource({
    ...row,
    net: advice.net,
    status: 'received',
    reconciled_at: null,
    version: 1,
    withdrawn_at: null,
    withdrawal_reason_code: null,
    replaces,
    replaced_by: null,
    allocations: advice.allocations,
    denials: advice.denials,
    recoveries: advice.recoveries,
    adjustments: advice.adjustments,
  });
  const change = { what: 'received', at: now.toISOString(), actor: authority, requestId };
  const writes = [signalsInsert(tx, [{ resource: { id, tenant, environment }, changes: [change] }])];
  return { written: { status: 201, body, resourceId: body.id, writes }, notifications };
}

function duplicateReference(): ApiError {
  return new ApiError(
    'duplicate_remittance_reference',
    '/payer_reference was used for another remittance or payment advice.',
  );
}
