/**
 * The rules of matching: which remittance a row of a settlement file (CSV, camt.053) settles, and which amounts of which claims a
 * settlement settles. Pure functions.
 */
import { parseInstant } from '@carecover/contract';
import {
  type Advised,
  type ClaimAmount,
  comparable,
  compareWithTotal,
  type Observation,
} from './remittance-status';

/** A settlement as a row of a settlement file states it. */
export interface FileSettlement {
  readonly sourceReference: string;
  /** The texts of the row that can be the remittance's payer_reference, in the order in which they are looked up. */
  readonly payerReferences: readonly string[];
  /** The words of the row's free text that can be a payer_reference. */
  readonly words: readonly string[];
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  /** When the bank booked the credit, in ISO 8601. */
  readonly observedAt: string;
}

/** Finds the value that a text names. */
export type Lookup<Value> = Pick<ReadonlyMap<string, Value>, 'get'>;

/** The remittances, settlements and stored rows of the project that rows of a settlement file name. */
export interface RecordedReferences {
  /** IDs of remittances by payer_reference. */
  readonly remittances: Lookup<string>;
  /** Settlements by source_reference. */
  readonly settlements: Lookup<RecordedSettlement>;
  /** The stored rows of settlement files that matched no remittance, by source_reference. */
  readonly rows: Lookup<StoredRow>;
}

/** The values of a recorded settlement by which a repeated row is recognized. */
export interface RecordedSettlement {
  readonly id: string;
  readonly remittanceId: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly isReversed: boolean;
  /** Whether it records a credit again whose first settlement was reversed. An operator has then chosen its remittance. */
  readonly isReplacement: boolean;
}

/** A stored row of a settlement file that matched no remittance. */
export interface StoredRow {
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  /** In epoch milliseconds. */
  readonly observedAt: number;
  readonly isDismissed: boolean;
}

export interface RowMatch<Row> {
  readonly row: Row;
  /** The remittance that the row settles; null if its references name no remittance of the project, or several. */
  readonly remittanceId: string | null;
  /**
   * The settlement that the project has already recorded with the row's source_reference: one with the same remittance, amount and currency
   * (`same`), one that differs in them (`other`), only a reversed one (`reversed`), or none (null).
   */
  readonly recorded: 'same' | 'other' | 'reversed' | null;
  /** The ID of that settlement; null if there is none. */
  readonly settlementId: string | null;
  /**
   * The stored row with the row's source_reference: one with the same amount, currency and time that is open (`same`) or dismissed
   * (`dismissed`), one that differs in them and is open (`other`) or dismissed (`otherDismissed`), or none (null).
   */
  readonly stored: 'same' | 'dismissed' | 'other' | 'otherDismissed' | null;
}

/**
 * Finds the remittance that a row of a settlement file names, and the settlement and the stored row that the project has under the row's
 * source_reference.
 */
export function matchRow<Row extends FileSettlement>(row: Row, known: RecordedReferences): RowMatch<Row> {
  const remittanceId = findRemittanceId(row, known.remittances);
  const settlement = known.settlements.get(row.sourceReference);
  return {
    row,
    remittanceId,
    recorded: compareWithSettlement(row, remittanceId, settlement),
    settlementId: settlement?.id ?? null,
    stored: compareWithStoredRow(row, known.rows.get(row.sourceReference)),
  };
}

function compareWithSettlement(
  row: FileSettlement,
  remittanceId: string | null,
  settlement: RecordedSettlement | undefined,
): RowMatch<never>['recorded'] {
  if (settlement === undefined) return null;
  if (settlement.isReversed) return 'reversed';
  // A row that names no remittance can already be recorded as a settlement, because an operator assigned the row to a remittance.
  const isSame =
    (settlement.isReplacement || [null, settlement.remittanceId].includes(remittanceId)) &&
    settlement.amount === row.amount &&
    settlement.currency === row.currency;
  return isSame ? 'same' : 'other';
}

function compareWithStoredRow(row: FileSettlement, stored: StoredRow | undefined): RowMatch<never>['stored'] {
  if (stored === undefined) return null;
  const isSame =
    stored.amount === row.amount &&
    stored.currency === row.currency &&
    stored.observedAt === parseInstant(row.observedAt);
  if (isSame) return stored.isDismissed ? 'dismissed' : 'same';
  return stored.isDismissed ? 'otherDismissed' : 'other';
}

/**
 * Returns the ID of the remittance that the first known payer_reference of a row names; otherwise the only remittance that the words of its
 * free text name; null if there is none.
 */
function findRemittanceId(
  { payerReferences, words }: FileSettlement,
  remittances: Lookup<string>,
): string | null {
  const [named] = payerReferences.flatMap((reference) => remittances.get(reference) ?? []);
  if (named !== undefined) return named;
  const inText = new Set(words.flatMap((word) => remittances.get(word) ?? []));
  const [sole, ...others] = inText;
  return sole === undefined || others.length > 0 ? null : sole;
}

/** A settlement that becomes matched, with the amounts per claim that it settles; they sum to the settlement's amount. */
export interface Match {
  readonly id: string;
  readonly allocations: readonly ClaimAmount[];
}

/** Returns whether every requested amount is at most the outstanding amount of its claim. */
export function fits(outstanding: ReadonlyMap<string, number>, requested: readonly ClaimAmount[]): boolean {
  return requested.every(({ claimId, amount }) => amount <= (outstanding.get(claimId) ?? 0));
}

function subtract(outstanding: Map<string, number>, parts: readonly ClaimAmount[]): void {
  for (const { claimId, amount } of parts) outstanding.set(claimId, (outstanding.get(claimId) ?? 0) - amount);
}

/** Distributes an amount over the outstanding amounts of claims, in the order of the remittance's allocations. */
function distribute(outstanding: ReadonlyMap<string, number>, amount: number): ClaimAmount[] {
  const parts: ClaimAmount[] = [];
  let rest = amount;
  for (const [claimId, open] of outstanding) {
    const part = Math.min(open, rest);
    if (part > 0) parts.push({ claimId, amount: part });
    rest -= part;
  }
  return parts;
}

/**
 * Matches the unmatched settlements of a remittance. If the sum of its settlements is the exact total of the remittance, all are matched;
 * if the sum is above the total, none is. If the sum is below the total, a settlement is matched if each amount that it allocates is at
 * most the outstanding amount of its claim. A settlement without allocations is then matched if the remittance has only one allocation and
 * the settlement's amount is at most the outstanding amount of this allocation. Settlements in another currency are ignored.
 *
 * @param outstanding the outstanding amount of each allocation, in the order of the remittance's allocations
 * @param unreversed unreversed settlements of the remittance, in the order in which they were recorded
 */
export function matchUnmatched(
  advised: Advised,
  outstanding: readonly ClaimAmount[],
  unreversed: readonly Observation[],
): Match[] {
  const sum = compareWithTotal(advised, unreversed);
  if (sum === 'above') return [];
  const remaining = new Map(outstanding.map(({ claimId, amount }) => [claimId, amount]));
  const matches: Match[] = [];
  const undistributed: Observation[] = [];
  for (const observation of comparable(advised, unreversed)) {
    if (observation.matched) continue;
    const { id, amount, allocations } = observation;
    const requested = allocations.length > 0 ? allocations : soleAllocation(outstanding, amount);
    if (requested === null || !fits(remaining, requested)) {
      undistributed.push(observation);
      continue;
    }
    subtract(remaining, requested);
    matches.push({ id, allocations: requested });
  }
  if (sum === 'below') return matches;
  for (const { id, amount } of undistributed) {
    const allocations = distribute(remaining, amount);
    subtract(remaining, allocations);
    matches.push({ id, allocations });
  }
  return matches;
}

function soleAllocation(outstanding: readonly ClaimAmount[], amount: number): ClaimAmount[] | null {
  const [sole, ...others] = outstanding;
  return sole === undefined || others.length > 0 ? null : [{ claimId: sole.claimId, amount }];
}
