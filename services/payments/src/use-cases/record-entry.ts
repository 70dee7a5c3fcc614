/** Records bank entries as settlements, with the command createSettlement and so with the rules of the API. */
import { randomUUID } from 'node:crypto';
import {
  type Environment,
  referenceKey,
  type Settlement,
  type SettlementInput,
  WILDCARD_SCOPE,
} from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import { type Call, requestHash } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { settlementResource } from '../resources';
import { findAssignedEntry, findRecordedPart, findUnlinkedOfCredit } from '../store/bank-entries';
import { type EntryCall, recordSettlement, recordSettlements } from './create-settlement';

/** The project whose entries are recorded, and the person who does it. */
export interface ImportAuthor {
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** The authority that is stored with the settlements, such as `operator:ana`. */
  readonly authority: string;
}

/** A credit, or a part of it, that is recorded as a settlement. */
export interface RecordedCredit {
  /** The number of the bank entry. */
  readonly row: number;
  readonly sourceReference: string;
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  readonly observedAt: string;
}

/** Returns the call of a command that an import or an operator executes without a request. */
export async function operatorCall<Operation extends 'createSettlement' | 'reverseSettlement'>(
  operation: Operation,
  author: ImportAuthor,
  {
    key,
    params,
    body,
    status,
  }: { key: string; params: Call<Operation>['params']; body: object; status: number },
): Promise<Call<Operation>> {
  return {
    operation,
    caller: {
      ...author,
      requestId: randomUUID(),
      scopes: [WILDCARD_SCOPE],
      resourceIds: null,
      consentDefault: 'withdrawn',
      endpointLimit: 0,
    },
    params,
    query: {},
    body,
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: key,
    requestHash: await requestHash('settlement-file', body, 'settlement-file'),
    replayStatus: status,
  } as unknown as Call<Operation>;
}

/**
 * Records a credit as a settlement. What is recorded of the entry changes in the same transaction, so that no two executions record it twice.
 *
 * @throws EntryIsRecorded if the entry has less open; the API errors of createSettlement
 */
export async function recordCredit(
  sql: Sql,
  author: ImportAuthor,
  credit: RecordedCredit,
  remittanceId: string,
): Promise<Settlement> {
  const { reply } = await recordSettlement(sql, await callOf(author, credit, remittanceId), credit.row);
  return JSON.parse(reply.text);
}

/** A credit and the remittance in which it is recorded. */
export interface NamedCredit {
  readonly credit: RecordedCredit;
  readonly remittanceId: string;
}

/**
 * Records credits as {@link recordCredit} does, in one transaction. A credit that is rejected, or that depends on another one, is left out and must
 * be recorded alone.
 *
 * @returns the settlements by the numbers of the bank entries
 */
export async function recordCredits(
  sql: Sql,
  author: ImportAuthor,
  credits: readonly NamedCredit[],
): Promise<ReadonlyMap<number, Pick<Settlement, 'id' | 'status'>>> {
  const calls = await Promise.all(
    credits.map(async ({ credit, remittanceId }) => ({
      call: await callOf(author, credit, remittanceId),
      entryRow: credit.row,
    })),
  );
  return recordSettlements(sql, author.tenant, calls);
}

async function callOf(
  author: ImportAuthor,
  { row, sourceReference, currency, amount, observedAt }: RecordedCredit,
  remittanceId: string,
): Promise<EntryCall['call']> {
  const body: SettlementInput = {
    remittance_id: remittanceId,
    source_reference: sourceReference,
    currency: currency as SettlementInput['currency'],
    amount,
    observed_at: observedAt,
  };
  const key = `bank-entry:${row}:${randomUUID()}`;
  const call = await operatorCall('createSettlement', author, { key, params: {}, body, status: 201 });
  return { ...call, idempotencyKey: key };
}

/** The part of an open credit that is recorded, and where. */
export interface CreditPart {
  /** The number of the bank entry. */
  readonly row: number;
  readonly remittanceId: string;
  /** In minor units; null for all that is open. */
  readonly amount: number | null;
  /** Which of the equal parts of a list this is, from 1: a part that is recorded already is not recorded again. Absent if it is of no list. */
  readonly ordinal?: number;
}

/** How often another reference is chosen if a concurrent settlement has just used the chosen one. */
const MAX_ATTEMPTS = 5;

/**
 * Records the open amount of a credit, or a part of it, under the next unused source_reference of the credit.
 *
 * @returns the settlement, or that which has recorded the part of a list before; undefined if the project has no open credit with this number
 * @throws ApiError validation_failed if the part is more than what is open; invalid_state if no source_reference is left; EntryIsRecorded; the
 *   API errors of createSettlement
 */
export async function recordOpenCredit(
  sql: Sql,
  author: ImportAuthor,
  { row, remittanceId, amount, ordinal }: CreditPart,
): Promise<Settlement | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const entry = await findAssignedEntry(sql, author.tenant, row, referenceKey);
    if (ordinal !== undefined) {
      // Read after the next source_reference: of two concurrent executions, one finds the settlement of the other here or its reference taken below.
      const recorded = await findRecordedPart(sql, author.tenant, { row, remittanceId, amount, ordinal });
      if (recorded !== null) return settlementResource(recorded);
    }
    if (entry === undefined) return undefined;
    const { open, currency, next_reference: sourceReference } = entry;
    const unlinked = await findUnlinkedOfCredit(sql, author.tenant, row);
    if (unlinked !== null)
      throw new ApiError(
        'invalid_state',
        `The settlement ${unlinked} has the reference of the row and records no imported row. If it records these funds, reverse it first; if it records others, record these with POST /settlements under another source_reference, and dismiss the row.`,
      );
    if (amount !== null && amount > open)
      throw new ApiError(
        'validation_failed',
        `/amount must be at most ${open}, the open part of the row in minor units.`,
      );
    if (sourceReference === null)
      throw new ApiError(
        'invalid_state',
        'The row has 1,000 settlements, the maximum. Record the credit with POST /settlements under another source_reference, and dismiss the row.',
      );
    const credit = {
      row,
      sourceReference,
      currency,
      amount: amount ?? open,
      observedAt: entry.observed_at.toISOString(),
    };
    try {
      return await recordCredit(sql, author, credit, remittanceId);
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'duplicate_settlement_reference';
      if (!isTaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
