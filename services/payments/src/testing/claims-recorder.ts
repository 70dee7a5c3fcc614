/**
 * Replaces the claims service in tests of payments. It stores one record per cause in memory, and further ones for parts of it with other claims. A test can let calls fail and delete records.
 * While the record of a cause is deleted, a record that names it as a claim's previous cause is rejected.
 */
import { isDeepStrictEqual } from 'node:util';
import { unavailable } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { ClaimsForPayments } from '@carecover/workflow-remittance';

export class ClaimsRecorder implements StepHandlers<ClaimsForPayments> {
  readonly records = new Map<string, unknown>();
  readonly known = new Set<string>();
  /** How many of the next calls fail as if the claims service were unavailable. */
  failures = 0;
  private readonly lost = new Set<string>();

  /** Deletes the records with the given cause IDs, as if the claims service's database had been restored from an older backup. */
  lose(causes: readonly string[]): void {
    for (const cause of causes) {
      this.records.delete(cause);
      this.lost.add(cause);
    }
  }

  knownClaims = async ({ claimIds }: { claimIds: readonly string[] }) =>
    claimIds.filter((claimId) => this.known.has(claimId));

  recordRemittance: StepHandlers<ClaimsForPayments>['recordRemittance'] = async (input) =>
    this.store(input.remittanceId, input, input.allocations);

  recordRecovery: StepHandlers<ClaimsForPayments>['recordRecovery'] = async (input) =>
    this.store(input.recoveryId, input, [input]);

  recordWithdrawal: StepHandlers<ClaimsForPayments>['recordWithdrawal'] = async (input) =>
    this.store(input.causeId, input, [...input.allocations, ...input.recoveries]);

  recordSettlement: StepHandlers<ClaimsForPayments>['recordSettlement'] = async (input) =>
    this.store(input.causeId, input, input.amounts);

  /** What payers owe, which a test sets, in the order of its currencies; null: claims is unavailable. */
  outstanding: readonly { readonly currency: string; readonly amount: number }[] | null = [];

  outstandingAt = async () => {
    if (this.outstanding === null) throw unavailable('The claims service');
    return this.outstanding;
  };

  private store(cause: string, input: unknown, parts: readonly { readonly after: string | null }[]): void {
    const missing = parts.find(({ after }) => after !== null && this.lost.has(after));
    // The real service responds 503 until it has recorded the earlier one.
    if (missing !== undefined) throw unavailable(`${missing.after}, which comes before ${cause},`);
    if (this.failures > 0) {
      this.failures -= 1;
      throw unavailable('The claims service');
    }
    let key = cause;
    for (let part = 2; this.records.has(key) && haveOtherClaims(this.records.get(key), input); part++)
      key = `${cause} part ${part}`;
    const before = this.records.get(key);
    if (before !== undefined && !isDeepStrictEqual(before, input)) {
      throw new Error(`${cause} was sent with two inputs`);
    }
    this.records.set(key, input);
    this.lost.delete(cause);
  }
}

/** Returns whether two inputs are about different claims. */
function haveOtherClaims(one: unknown, other: unknown): boolean {
  const claimsOf = (input: unknown) => JSON.stringify(input).match(/clm_\w+/g) ?? [];
  const claims = new Set(claimsOf(one));
  const others = claimsOf(other);
  return others.length > 0 && claims.size > 0 && !others.some((claim) => claims.has(claim));
}
