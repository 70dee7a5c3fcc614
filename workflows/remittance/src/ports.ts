/**
 * The steps of the remittance's workflow in the claims service: HTTP calls from its local activities. Payments has decided before each
 * call: claims records it on all claims of the call in one transaction, in any state, and cannot reject it. Each may be repeated after a
 * crash with the same input and then does nothing new. The second argument is the id of the request. Amounts in minor units, times in
 * ISO 8601 UTC.
 *
 * A record that names an adjudication version which claims has not committed yet fails and is retried: the claim's workflow
 * is about to commit it. So does one that names a record of settled money which claims has not heard of yet: the workflow of
 * another remittance is about to tell it. Advice needs no such order, since sums alone come of it.
 */
export interface ClaimsForRemittances {
  /** Which of these claims exist for the tenant. */
  knownClaims(
    input: { tenant: string; claimIds: readonly string[] },
    requestId: string,
  ): Promise<readonly string[]>;
  /** Appends `remittance_recorded` to every claim, in one transaction. */
  recordRemittance(
    input: {
      tenant: string;
      remittanceId: string;
      receivedAt: string;
      allocations: readonly {
        readonly claimId: string;
        readonly amount: number;
        readonly reasonCode: string | null;
        readonly adjudicationVersion: number;
      }[];
    },
    requestId: string,
  ): Promise<void>;
  /**
   * Appends `settled` to every claim (negative amounts where an observation was reversed), in one transaction, and, where
   * `reconciled` is given, then `reconciled` to every claim of the remittance.
   */
  recordSettlement(
    input: {
      tenant: string;
      remittanceId: string;
      /** What makes the record one: the settlement's id, or that with `:reversal`. */
      causeId: string;
      settlementId: string;
      observedAt: string;
      amounts: readonly SettledAmount[];
      reconciled: { readonly at: string; readonly claimIds: readonly string[] } | null;
    },
    requestId: string,
  ): Promise<void>;
}

/** What an observation settled of a claim, or took back of it (negative). */
export interface SettledAmount {
  readonly claimId: string;
  readonly amount: number;
  /**
   * The `causeId` of the record of settled money that the ledger has before this one on the claim, whichever remittance's; null for
   * the first. What was noted before this was kept says nothing, and asks for no order.
   */
  readonly after?: string | null;
}
