/**
 * Creates a settlement, or one for each share of a deposit: one database transaction records and matches them, and updates their remittances. Then
 * claims records what they settle.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a settlement that is committed is recorded in claims later.
 */

import {
  insertAnswered,
  type JsonResponse,
  keepRejection,
  type WriteRequest,
  writeOnce,
} from '@carecover/commands';
import { parseInstant, referenceKey, type SettlementInput } from '@carecover/contract';
import {
  ApiError,
  type Caller,
  isRejection,
  newId,
  notFound,
  requireVisible,
  requireVisibleReference,
  type Tenant,
} from '@carecover/domain';
import type { Call } from '@carecover/http';
import { rolledBack, type Sql, type Transactions, type Tx } from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import { settlementResource } from '../resources';
import { remittanceIdOf } from '../rules/advice';
import { checkSettlementAllocations } from '../rules/allocation';
import { type LockedRemittance, nextPosition, outstandingOf, reconcile } from '../rules/reconciliation';
import type { ClaimAmount } from '../rules/remittance-status';
import { isNettingReference, referenceOfPart } from '../rules/settlement-reference';
import { findNamedCredits, type NamedCredit, recordParts } from '../store/bank-entries';
import {
  countLines,
  lockRemittance,
  lockRemittances,
  type RemittanceChange,
  writeReconciliation,
} from '../store/reconciliation';
import {
  findUsedReferences,
  isReferenceUsed,
  type NewSettlement,
  partsOf,
  type SettlementRow,
} from '../store/settlements';
import { deliverBeforeResponse, pendingAfter, type RemittanceDeps } from './deliver-notifications';

/** What the creation of a settlement needs of its call. */
export type SettlementCall = Pick<Call<'createSettlement'>, 'body' | 'replayStatus' | keyof WriteRequest>;

/**
 * Creates a settlement.
 *
 * @throws ApiError validation_failed, resource_not_found, duplicate_settlement_reference, allocation_duplicate, future_timestamp, over_allocation;
 *   invalid_state if the remittance has the maximum number of settlements, or if an imported bank entry has the source_reference and less
 *   than the amount open; idempotency_conflict, service_unavailable
 */
export async function createSettlement(deps: RemittanceDeps, call: SettlementCall): Promise<JsonResponse> {
  const { reply, pending } = await recordSettlement(deps.sql, call).catch(rejectRecordedEntry);
  for (const { remittanceId } of sharesOf(call.body))
    await deliverBeforeResponse(deps, call.caller, remittanceId, pending, reply);
  return reply;
}

/** Decides whether a settlement can be created, and writes nothing. @throws the API errors of {@link createSettlement} */
export async function checkSettlement(sql: Sql, call: SettlementCall): Promise<void> {
  await writeSettlement(rolledBack(sql), call, checkedShares(call), null).catch(rejectRecordedEntry);
}

function rejectRecordedEntry(error: unknown): never {
  if (!(error instanceof EntryIsRecorded)) throw error;
  throw new ApiError(
    'invalid_state',
    'Another settlement has just recorded the bank row with this /source_reference. Repeat the request.',
  );
}

/** Thrown if a bank entry has less open than a settlement of it would record: another import or operator was first. */
export class EntryIsRecorded extends Error {
  override readonly name = 'EntryIsRecorded';

  constructor() {
    super('settlements record the bank entry already');
  }
}

/** The part of a deposit for one remittance. */
interface Share {
  readonly remittanceId: string;
  /** The field of the request that names the remittance or its advice. */
  readonly pointer: string;
  readonly named: string;
  readonly sourceReference: string;
  /** In minor units. */
  readonly amount: number;
  readonly allocations: readonly ClaimAmount[];
}

/** Returns the shares of a deposit, in the order of the request; a deposit for one remittance has one. */
function sharesOf({
  remittance_id,
  source_reference,
  amount,
  allocations = [],
  shares,
}: SettlementInput): Share[] {
  if (shares === undefined) {
    const remittanceId = remittance_id ?? '';
    return [
      {
        remittanceId,
        pointer: '/remittance_id',
        named: remittanceId,
        sourceReference: source_reference,
        amount,
        allocations: allocations.map((part) => ({ claimId: part.claim_id, amount: part.amount })),
      },
    ];
  }
  return shares.map((share, index) => ({
    remittanceId: remittanceIdOf(share.payment_advice_id),
    pointer: `/shares/${index}/payment_advice_id`,
    named: share.payment_advice_id,
    sourceReference: referenceOfPart(source_reference, index),
    amount: share.amount,
    allocations: [],
  }));
}

/**
 * Records a settlement, or one for each share of a deposit, without waiting for claims. The remittances' workflows, which receive signals,
 * deliver the notifications.
 *
 * @param entryRow the number of the bank entry of which the settlement records its amount; null if the request names it by its
 *   source_reference, or no import has given it
 * @returns the response, and the pending notifications if this call has recorded the settlement of one remittance
 * @throws the API errors of {@link createSettlement}; EntryIsRecorded if the entry `entryRow` has less than the amount open
 */
export async function recordSettlement(
  sql: Sql,
  call: SettlementCall,
  entryRow: number | null = null,
): Promise<Recorded> {
  const shares = checkedShares(call);
  return keepRejection(sql, call, shares[0].remittanceId, () => writeSettlement(sql, call, shares, entryRow));
}

/** The response, and the pending notifications if the call has recorded the settlement of one remittance. */
interface Recorded {
  readonly reply: JsonResponse;
  readonly pending: readonly Notification[] | undefined;
}

/** Returns the shares of a valid deposit. @throws ApiError validation_failed, resource_not_found */
function checkedShares({ caller, body }: SettlementCall): readonly [Share, ...Share[]] {
  const [first, ...others] = sharesOf(body);
  if (first === undefined) throw new Error('a deposit has a share');
  const shares = [first, ...others] as const;
  for (const { named, pointer } of shares) requireVisible(caller, named, pointer);
  requireVisibleReference('/source_reference', body.source_reference);
  if (isNettingReference(body.source_reference))
    throw new ApiError(
      'validation_failed',
      '/source_reference must not start with net:adv_, the reference of settlements without a transfer.',
    );
  return shares;
}

/** Writes a settlement, or one for each share, in one transaction. */
async function writeSettlement(
  transactions: Transactions,
  call: SettlementCall,
  shares: readonly [Share, ...Share[]],
  entryRow: number | null,
): Promise<Recorded> {
  const { caller, body } = call;
  const { tenant } = caller;
  const [first, ...others] = shares;
  const references = shares.map(({ sourceReference }) => sourceReference);
  let pending: readonly Notification[] | undefined;
  const reply = await writeOnce(
    transactions,
    call,
    call.replayStatus,
    async (tx, [remittances, used, credits]: Fetched) => {
      const locked = remittances.get(first.remittanceId);
      if (locked === undefined) throw notFound(first.pointer);
      const unknown = others.find(({ remittanceId }) => !remittances.has(remittanceId));
      if (unknown !== undefined) throw notFound(unknown.pointer);
      if (used.size > 0) throw duplicateReference();
      const entry = entryRow ?? namedEntry(credits, body);
      const recorded = await record(tx, caller, body, first, locked, entry);
      pending = others.length === 0 ? recorded.pending : undefined;
      for (const share of others) {
        // This reads what the settlements before have changed in accounts that the remittances share.
        const next = await lockRemittance(tx, tenant, share.remittanceId);
        if (next === undefined) throw new Error(`${share.remittanceId} is not there under its lock`);
        await record(tx, caller, body, share, next, entry);
      }
      const { row } = recorded;
      return { status: 201, body: settlementResource(row), resourceId: row.id };
    },
    (tx) =>
      tx.pipeline([
        lockRemittances(
          tx,
          tenant,
          shares.map(({ remittanceId }) => remittanceId),
        ),
        findUsedReferences(tx, tenant, references),
        entryRow === null ? findNamedCredits(tx, tenant, body.source_reference) : null,
      ]),
  );
  return { reply, pending };
}

/** The values that are read after the insert of the command's row, in the same pipeline, after all locks. */
type Fetched = readonly [
  remittances: ReadonlyMap<string, LockedRemittance>,
  usedReferences: ReadonlySet<string>,
  credits: readonly NamedCredit[] | null,
];

/**
 * Returns the number of the imported credit that a request names by its source_reference, so that the credit is not recorded a second time by
 * an import or a person; null if no import has given it.
 *
 * @throws ApiError invalid_state if no such credit has the amount open in the currency, or if the source_reference is that of a batch
 */
function namedEntry(
  credits: readonly NamedCredit[] | null,
  { currency, amount }: SettlementInput,
): number | null {
  const [first] = credits ?? [];
  if (credits === null || first === undefined) return null;
  if (first.names === 'batch')
    throw new ApiError(
      'invalid_state',
      `/source_reference is that of a batch of which the imported bank files have the transactions: row ${first.row}, one of them, has ${first.source_reference}. Record each transaction under its own reference, or use the reference of the funds that you mean.`,
    );
  const fitting = credits.find(
    (credit) => credit.names === first.names && credit.currency === currency && credit.open >= amount,
  );
  if (fitting !== undefined) return fitting.row;
  throw new ApiError(
    'invalid_state',
    `/source_reference is that of row ${first.row} of the imported bank files, of which ${first.open} in minor units of ${first.currency} are not recorded yet. Record at most this, or use the reference of the funds that you mean.`,
  );
}

async function record(
  tx: Tx,
  caller: Caller,
  input: SettlementInput,
  share: Share,
  locked: LockedRemittance,
  entryRow: number | null,
): Promise<{ readonly row: SettlementRow; readonly pending: readonly Notification[] | undefined }> {
  const decided = decide(caller, input, share, locked, entryRow);
  // The entry is locked after the remittance and its accounts, in every transaction.
  if (entryRow !== null) {
    const parts = await recordParts(tx, locked.tenant, [{ row: entryRow, amount: share.amount }]);
    if (!parts.has(entryRow)) throw new EntryIsRecorded();
  }
  try {
    await writeReconciliation(tx, locked.tenant, [decided]);
  } catch (error) {
    // Another remittance's settlement with the same source_reference can have been committed after this transaction looked up the
    // source_reference.
    throw isReferenceUsed(error) ? duplicateReference() : error;
  }
  return { row: rowOf(decided), pending: pendingAfter(locked.pending, decided.changes.notifications) };
}

/** A settlement that is recorded, with what it changes in its locked remittance. */
type DecidedSettlement = RemittanceChange & { readonly recorded: NewSettlement };

const rowOf = ({ locked, recorded }: DecidedSettlement): SettlementRow => ({
  ...recorded,
  project_id: locked.tenant,
});

/** @throws ApiError future_timestamp, allocation_duplicate, over_allocation, invalid_state, validation_failed */
function decide(
  { authority, requestId }: Caller,
  input: SettlementInput,
  share: Share,
  locked: LockedRemittance,
  entryRow: number | null,
): DecidedSettlement {
  if (locked.status === 'withdrawn')
    throw new ApiError(
      'invalid_state',
      `${share.pointer} is withdrawn, so it gets no settlements. Record the funds for another remittance.`,
    );
  const id = newId('stl_');
  const position = nextPosition(locked);
  const { currency } = input;
  const { amount, allocations } = share;
  const observedAt = new Date(parseInstant(input.observed_at));
  if (observedAt > locked.now) throw new ApiError('future_timestamp', '/observed_at is in the future.');
  checkSettlementAllocations(locked, outstandingOf(locked).allocations, { currency, amount, allocations });
  const observed = { id, currency, amount, allocations, recoveries: [], matched: false, observedAt };
  const changes = reconcile(locked, { observed });
  const match = changes.matched.find((candidate) => candidate.id === id);
  const recorded = {
    id,
    remittance_id: locked.id,
    position,
    source_reference: share.sourceReference,
    bank_entry_id: entryRow,
    currency,
    amount,
    allocations: partsOf(match?.allocations ?? allocations),
    recoveries: partsOf(match?.recoveries ?? []),
    status: match === undefined ? ('unmatched' as const) : ('matched' as const),
    observed_at: observedAt,
    created_at: locked.now,
  };
  const change = { what: 'settlement recorded', at: locked.now.toISOString(), actor: authority, requestId };
  return { locked, changes, change, recorded };
}

/** A command that records a bank entry as a settlement. Its idempotency key is new. */
export interface EntryCall {
  readonly call: SettlementCall & { readonly idempotencyKey: string };
  /** The number of the bank entry. */
  readonly entryRow: number;
}

/**
 * Records settlements of bank entries in one transaction and a few statements. A settlement that is rejected, or that could depend on another one of
 * the set, is left out; so are all of them if a concurrent request has taken one of their source_references. {@link recordSettlement} records or
 * rejects those alone.
 *
 * @returns the recorded settlements, by the number of the bank entry
 */
export async function recordSettlements(
  sql: Sql,
  tenant: Tenant,
  calls: readonly EntryCall[],
): Promise<ReadonlyMap<number, SettlementRow>> {
  const items = calls.flatMap(({ call, entryRow }) => {
    const [share, ...others] = unlessRejected(() => checkedShares(call)) ?? [];
    return share === undefined || others.length > 0 ? [] : [{ call, entryRow, share }];
  });
  if (items.length === 0) return new Map();
  try {
    return await sql.begin(async (tx) => {
      const ids = items.map(({ share }) => share.remittanceId);
      const lines = await countLines(tx, tenant, ids);
      const [remittances, used] = await tx.pipeline([
        lockRemittances(tx, tenant, withinLines(ids, lines)),
        findUsedReferences(
          tx,
          tenant,
          items.map(({ share }) => share.sourceReference),
        ),
      ]);
      // What the settlements of this transaction change or use, which another one of them would have to read.
      const taken = new Set(used);
      const decided = items.flatMap(({ call, entryRow, share }) => {
        const locked = remittances.get(share.remittanceId);
        // The reconciliation of a remittance that deducts a balance also signals the workflows of other remittances.
        if (locked === undefined || locked.forwarded < 0) return [];
        const keys = [locked.id, ...locked.accounts.keys(), referenceKey(share.sourceReference)];
        if (keys.some((key) => taken.has(key))) return [];
        const decision = unlessRejected(() => decide(call.caller, call.body, share, locked, entryRow));
        if (decision === null) return [];
        for (const key of keys) taken.add(key);
        return [{ ...decision, call, entryRow, row: rowOf(decision) }];
      });
      const parts = await recordParts(
        tx,
        tenant,
        decided.map(({ entryRow, recorded: { amount } }) => ({ row: entryRow, amount })),
      );
      const accepted = decided.filter(({ entryRow }) => parts.has(entryRow));
      if (accepted.length === 0) return new Map();
      await writeReconciliation(tx, tenant, accepted);
      const commands = accepted.map(({ call, row }) => {
        const text = JSON.stringify(settlementResource(row));
        return { request: call, key: call.idempotencyKey, status: 201, text, resourceId: row.id };
      });
      await insertAnswered(tx, commands);
      return new Map(accepted.map(({ entryRow, row }) => [entryRow, row]));
    });
  } catch (error) {
    if (isReferenceUsed(error)) return new Map();
    throw error;
  }
}

/** Maximum number of advice lines whose accounts one transaction of {@link recordSettlements} locks and reads. */
const MAX_LINES = 2_000;

/** Returns the first of the remittances that have at most {@link MAX_LINES} lines together. */
function withinLines(ids: readonly string[], lines: ReadonlyMap<string, number>): string[] {
  let sum = 0;
  return ids.filter((id) => {
    sum += lines.get(id) ?? 0;
    return sum <= MAX_LINES;
  });
}

function unlessRejected<T>(decision: () => T): T | null {
  try {
    return decision();
  } catch (error) {
    if (isRejection(error)) return null;
    throw error;
  }
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_settlement_reference', '/source_reference was used for another settlement.');
}
