/**
 * The rules of matching: what an import does with an entry of a bank file, which remittance it settles, and which amounts of which claims a
 * settlement settles. Pure functions.
 */
import { parseInstant, referenceKey, referenceSearchKey } from '@carecover/contract';
import { type BankEntry, type Comparison, type EntryType, findDoubt } from './bank-entry';
import {
  type Advised,
  type ClaimAmount,
  comparable,
  compareWithExpected,
  type ObservedSettlement,
} from './remittance-status';

/** Finds the value that a text names. */
type Lookup<Value> = Pick<ReadonlyMap<string, Value>, 'get'>;

/** A remittance by its payer_reference. */
export interface NamedRemittance {
  readonly id: string;
  /** The normal form of its payer_reference, unique among the project's remittances. */
  readonly key: string;
}

/** A settlement that was recorded without a bank entry, such as by a client of the API, or all settlements of a deposit with several shares. */
export interface RecordedSettlement {
  /** The settlements; the first has the reference. */
  readonly ids: readonly [string, ...string[]];
  readonly remittanceIds: readonly string[];
  /** The sum, in minor units. */
  readonly amount: number;
  /** The sum without the first if that is reversed, in minor units. */
  readonly unreversed: number;
  readonly currency: string;
  /** The dates, `YYYY-MM-DD`, of observed_at: in the account's time zone, and in UTC. */
  readonly observedOn: readonly string[];
  /** Whether the first is reversed; the others are not. */
  readonly isReversed: boolean;
}

/** What is stored of an entry that an earlier import, or an earlier row of the file, has added. */
export interface EntryState {
  /** The number of the entry. */
  readonly row: number;
  readonly type: EntryType;
  /** The sum of the unreversed settlements that record it, in minor units. */
  readonly recorded: number;
  /** The sum of the takebacks of the credit, in minor units. */
  readonly returned: number;
  readonly doubt: string | null;
  /** Whether a person has decided that it is not ours, or expects it until a time that has not passed. */
  readonly isDismissed: boolean;
  /** Whether a takeback was resolved. */
  readonly isResolved: boolean;
  /** The last reversed settlement that recorded the entry; null if there is none. */
  readonly reversedSettlement: string | null;
  /** The remittance of its first unreversed settlement; null if there is none. */
  readonly remittanceId: string | null;
}

/** What is known when an entry of a file is decided about. */
export interface KnownFacts {
  /** Remittances by the search keys of their payer_references. */
  readonly remittances: Lookup<readonly NamedRemittance[]>;
  /** What is stored of the entry; undefined if it is new. */
  readonly state: EntryState | undefined;
  /** The settlement without a bank entry whose source_reference is the entry's bank reference; undefined if there is none. */
  readonly settlement: RecordedSettlement | undefined;
  /** The stored entries with which a new entry is compared. */
  readonly comparable: Iterable<Comparison>;
  /** In epoch milliseconds. */
  readonly now: number;
}

/** What an import does with an entry. */
export type Decision =
  /** Nothing: it is recorded or resolved. The `links` are the settlements with which a client of the API has recorded it. */
  | { readonly outcome: 'known'; readonly links: readonly string[] }
  /** Nothing: an operator dismissed it. */
  | { readonly outcome: 'dismissed' }
  /** Stores a debit, or the reversal of one, which settles nothing. */
  | { readonly outcome: 'ignored'; readonly reason: string }
  /** Stores a takeback, which waits for an operator. */
  | { readonly outcome: 'takeback' }
  /** Records it as a settlement of the remittance. */
  | { readonly outcome: 'record'; readonly remittanceId: string }
  /**
   * Stores it as open, for the reason. If `doubt` is set, no later import records it. The `links` are a reversed settlement of it, and the other shares
   * of the same deposit.
   */
  | {
      readonly outcome: 'keep';
      readonly reason: string;
      readonly doubt: string | null;
      readonly links: readonly string[];
    };

/** Decides about an entry of a file. */
export function decideEntry(entry: BankEntry, known: KnownFacts): Decision {
  const { state } = known;
  if (entry.type === 'debit') return decideDebit(state);
  if (entry.type === 'debit_reversal') return { outcome: 'ignored', reason: 'it takes back a debit' };
  if (entry.type === 'takeback')
    return state?.isResolved === true
      ? { outcome: 'known', links: [] }
      : { outcome: state?.isDismissed === true ? 'dismissed' : 'takeback' };
  return decideCredit(entry, known);
}

function decideDebit(state: EntryState | undefined): Decision {
  if (state?.type !== 'takeback') return { outcome: 'ignored', reason: 'it is a debit' };
  if (state.isResolved) return { outcome: 'known', links: [] };
  return { outcome: state.isDismissed ? 'dismissed' : 'takeback' };
}

function decideCredit(entry: BankEntry, known: KnownFacts): Decision {
  const { state, settlement, now } = known;
  const { recorded, returned } = state ?? { recorded: 0, returned: 0 };
  if (recorded + returned >= entry.amount) return { outcome: 'known', links: [] };
  const remittanceId = findRemittanceId(entry, known.remittances);
  const doubt = state === undefined ? doubtOf(entry, known.comparable) : state.doubt;
  const isOpen = recorded + returned === 0;
  const isRecorded = settlement !== undefined && !settlement.isReversed;
  const found = doubt === null && isOpen ? settlement : undefined;
  const isSameFunds = found !== undefined && isSame(entry, found, remittanceId);
  if (found !== undefined && isRecorded && isSameFunds) return { outcome: 'known', links: found.ids };
  // What was reversed was recorded again under the next reference of the deposit.
  if (found?.isReversed === true && isSame(entry, { ...found, amount: found.unreversed }, remittanceId))
    return { outcome: 'known', links: found.ids };
  const links = found === undefined || isRecorded ? [] : isSameFunds ? found.ids : found.ids.slice(0, 1);
  const other = isRecorded ? `its reference was used for another settlement, ${settlement.ids[0]}` : null;
  const reversed = state?.reversedSettlement ?? links[0] ?? null;
  const certain = { reversed, remittanceId, now, recorded, returned };
  const reason = doubt ?? other ?? keepReason(entry, certain);
  if (reason === null && remittanceId !== null) return { outcome: 'record', remittanceId };
  if (state?.isDismissed === true) return { outcome: 'dismissed' };
  return { outcome: 'keep', reason: reason ?? 'it names no remittance', doubt: doubt ?? other, links };
}

/** Returns why a person must decide about a new credit; null if it is certain. */
function doubtOf(entry: BankEntry, comparable: Iterable<Comparison>): string | null {
  const repetition = findDoubt(entry, comparable);
  if (entry.difference === null) return repetition;
  const difference = `the bank's totals differ: ${entry.difference}`;
  return repetition === null ? difference : `${difference}; and ${repetition}`;
}

/** Returns whether settlements without a bank entry are the record of an entry: remittance, amount, currency and date agree. */
function isSame(entry: BankEntry, settlement: RecordedSettlement, remittanceId: string | null): boolean {
  return (
    settlement.amount === entry.amount &&
    settlement.currency === entry.currency &&
    settlement.observedOn.includes(entry.bookedOn) &&
    // A credit that names no remittance can already be recorded, because a person chose its remittance.
    (remittanceId === null || settlement.remittanceIds.includes(remittanceId))
  );
}

interface KeptCredit {
  readonly reversed: string | null;
  readonly remittanceId: string | null;
  readonly now: number;
  readonly recorded: number;
  readonly returned: number;
}

/** Returns why a credit without doubt is not recorded now; null if it is recorded. */
function keepReason(
  { payerReferences, words, observedAt }: BankEntry,
  { reversed, remittanceId, now, recorded, returned }: KeptCredit,
): string | null {
  if (reversed !== null) return `its settlement ${reversed} was reversed`;
  if (recorded > 0) return 'a part of it is recorded, and the rest is not assigned';
  if (returned > 0) return 'a part of it was returned, and the rest is not assigned';
  if (parseInstant(observedAt) > now)
    return 'its time is in the future: import the file again when it has passed';
  if (remittanceId !== null) return null;
  if (payerReferences.length > 0) return `no remittance has the reference ${payerReferences.join(' or ')}`;
  return words.length > 0 ? 'its text names no remittance, or several' : 'it names no remittance';
}

/**
 * Returns the remittance that a reference names: the one with the same key, otherwise the only one with the same search key, which ignores case.
 */
function namedBy(reference: string, remittances: KnownFacts['remittances']): string | undefined {
  const found = remittances.get(referenceSearchKey(reference)) ?? [];
  const key = referenceKey(reference);
  const [sole, ...others] = found;
  return found.find((each) => each.key === key)?.id ?? (others.length === 0 ? sole?.id : undefined);
}

/**
 * Returns the ID of the remittance that the first known payer_reference of an entry names; otherwise the only remittance that the words of its
 * free text name; null if there is none.
 */
export function findRemittanceId(
  { payerReferences, words }: Pick<BankEntry, 'payerReferences' | 'words'>,
  remittances: KnownFacts['remittances'],
): string | null {
  const [named] = payerReferences.flatMap((reference) => namedBy(reference, remittances) ?? []);
  if (named !== undefined) return named;
  const inText = new Set(words.flatMap((word) => namedBy(word, remittances) ?? []));
  const [sole, ...others] = inText;
  return sole === undefined || others.length > 0 ? null : sole;
}

/**
 * A settlement that becomes matched, with the amounts per claim that it settles, and those of takebacks that it proves. Without takebacks and
 * adjustments in the advice, the allocations sum to the settlement's amount.
 */
export interface Match {
  readonly id: string;
  readonly allocations: readonly ClaimAmount[];
  readonly recoveries: readonly ClaimAmount[];
}

/** The amounts of an advice that are not settled. */
export interface Outstanding {
  /** The outstanding amount of each allocation, in the order of the advice. */
  readonly allocations: readonly ClaimAmount[];
  /** The outstanding amount of each recovery. */
  readonly recoveries: readonly ClaimAmount[];
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
 * Matches the unmatched settlements of a remittance. If the sum of its settlements is the expected amount, all are matched, and the last of
 * them settles all that remains, and proves the recoveries; if the sum is above it, none is. If the sum is below it, a settlement is matched if
 * each amount that it allocates is at most the outstanding amount of its claim. A settlement without allocations is then matched if the
 * remittance has only one allocation and the settlement's amount is at most the outstanding amount of this allocation. Settlements in another
 * currency are ignored.
 *
 * @param unreversed unreversed settlements of the remittance, in the order in which they were recorded
 */
export function matchUnmatched(
  advised: Advised,
  outstanding: Outstanding,
  unreversed: readonly ObservedSettlement[],
): Match[] {
  const sum = compareWithExpected(advised, unreversed);
  if (sum === 'above') return [];
  const remaining = new Map(outstanding.allocations.map(({ claimId, amount }) => [claimId, amount]));
  const matches: Match[] = [];
  const undistributed: ObservedSettlement[] = [];
  for (const observed of comparable(advised, unreversed)) {
    if (observed.matched) continue;
    const { id, amount, allocations } = observed;
    const requested = allocations.length > 0 ? allocations : soleAllocation(outstanding.allocations, amount);
    if (requested === null || !fits(remaining, requested)) {
      undistributed.push(observed);
      continue;
    }
    subtract(remaining, requested);
    matches.push({ id, allocations: requested, recoveries: [] });
  }
  if (sum === 'below') return matches;
  for (const { id, amount } of undistributed) {
    const allocations = distribute(remaining, amount);
    subtract(remaining, allocations);
    matches.push({ id, allocations, recoveries: [] });
  }
  const last = matches.pop();
  return last === undefined ? [] : [...matches, withRemainder(last, remaining, outstanding.recoveries)];
}

/** Adds to the match that completes the expected amount what the funds settle beyond the settlements' amounts: the rest of an advice with takebacks. */
function withRemainder(
  match: Match,
  remaining: ReadonlyMap<string, number>,
  recoveries: readonly ClaimAmount[],
): Match {
  const amounts = new Map(match.allocations.map(({ claimId, amount }) => [claimId, amount]));
  for (const [claimId, amount] of remaining)
    if (amount > 0) amounts.set(claimId, (amounts.get(claimId) ?? 0) + amount);
  const allocations = [...amounts].map(([claimId, amount]) => ({ claimId, amount }));
  return { id: match.id, allocations, recoveries: recoveries.filter(({ amount }) => amount > 0) };
}

function soleAllocation(outstanding: readonly ClaimAmount[], amount: number): ClaimAmount[] | null {
  const [sole, ...others] = outstanding;
  return sole === undefined || others.length > 0 ? null : [{ claimId: sole.claimId, amount }];
}
