/**
 * The steps of the remittance's workflow in the claims service: HTTP calls from its local activities. Payments has decided before each
 * call: claims records it on all claims of the call in one transaction, in any state, and can't reject it. Each step is idempotent. The
 * second argument is the request's ID. Amounts in minor units, times in ISO 8601 UTC.
 *
 * A call fails and is retried while claims has not committed an adjudication version that it names, or has not recorded a settlement
 * that it names in `after`. Remittances need no such order, because claims only adds up their amounts.
 */
export interface ClaimsForRemittances {
  /** Returns which of these claims exist for the tenant. */
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
   * Appends `settled` to every claim in one transaction; the amounts of a reversed settlement are negative. If `reconciled` is given,
   * also appends `reconciled` to every claim of the remittance.
   */
  recordSettlement(
    input: {
      tenant: string;
      remittanceId: string;
      /** Identifies the record: the settlement's ID, with the suffix `:reversal` for a reversal. */
      causeId: string;
      settlementId: string;
      observedAt: string;
      amounts: readonly SettledAmount[];
      reconciled: { readonly at: string; readonly claimIds: readonly string[] } | null;
    },
    requestId: string,
  ): Promise<void>;
}

/** The amount that a settlement settled of a claim; negative for a reversal. */
export interface SettledAmount {
  readonly claimId: string;
  readonly amount: number;
  /**
   * The `causeId` of the settlement or reversal that the ledger has before this one on the claim, of any remittance; null for the first.
   * Rows of older releases do not have it, and need no order.
   */
  readonly after?: string | null;
}
