/**
 * What the remittance's workflow asks of the claims service, as activities on the queue `claims`. Payments has decided before
 * each call: claims records what it is told, in any state, and can't refuse. Each may be repeated after a crash with the same
 * input and then does nothing new. Amounts in minor units, times in ISO 8601 UTC.
 *
 * A record that names an adjudication version which claims has not committed yet fails and is retried: the claim's workflow
 * is about to commit it.
 */
export interface ClaimsForRemittances {
  /** Which of these claims exist for the tenant. */
  knownClaims(input: { tenant: string; claimIds: readonly string[] }): Promise<readonly string[]>;
  /** Appends `remittance_recorded` to every claim, in one transaction, then signals their workflows. */
  recordRemittance(input: {
    tenant: string;
    remittanceId: string;
    receivedAt: string;
    allocations: readonly {
      readonly claimId: string;
      readonly amount: number;
      readonly reasonCode: string | null;
      readonly adjudicationVersion: number;
    }[];
  }): Promise<void>;
  /**
   * Appends `settled` to every claim (negative amounts where an observation was reversed), in one transaction, and, where
   * `reconciledAt` is given, then `reconciled` to every claim of the remittance.
   */
  recordSettlement(input: {
    tenant: string;
    remittanceId: string;
    /** What makes the record one: the settlement's id, or that with `:reversal`. */
    causeId: string;
    settlementId: string;
    observedAt: string;
    amounts: readonly { readonly claimId: string; readonly amount: number }[];
    reconciled: { readonly at: string; readonly claimIds: readonly string[] } | null;
  }): Promise<void>;
}
