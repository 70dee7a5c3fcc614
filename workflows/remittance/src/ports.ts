import { localSteps } from '@carecover/platform/workflow';

/**
 * The steps of the remittance's workflow in the claims service: HTTP calls from its local activities. Payments has decided before each
 * call: claims records the decision on all claims of the call in one transaction, in any state, and can't reject it. Each step is idempotent. The
 * second argument is the request's ID. Amounts in minor units, times in ISO 8601 UTC.
 *
 * A call fails and is retried until claims has committed the adjudication versions and has recorded the settlements (`after`) that the
 * call names. Calls for remittances need no order among themselves, because claims only adds up their amounts.
 */
export interface ClaimsForRemittances {
  /** Returns which of these claims exist for the tenant. */
  knownClaims(
    input: { tenant: string; claimIds: readonly string[] },
    requestId: string,
  ): Promise<readonly string[]>;
  /** Appends the fact `remittance_recorded` to every claim, in one transaction. */
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
   * Appends the fact `settled` to every claim in one transaction; the amounts of a reversed settlement are negative. If `reconciled` is given,
   * also appends the fact `reconciled` to every claim of the remittance.
   */
  recordSettlement(
    input: {
      tenant: string;
      remittanceId: string;
      /** Identifies the settlement or reversal that is recorded: the settlement's ID, with the suffix `:reversal` for a reversal. */
      causeId: string;
      settlementId: string;
      observedAt: string;
      amounts: readonly SettledAmount[];
      reconciled: { readonly at: string; readonly claimIds: readonly string[] } | null;
    },
    requestId: string,
  ): Promise<void>;
}

/** The part of a settlement's amount that belongs to one claim; negative for a reversal. */
export interface SettledAmount {
  readonly claimId: string;
  readonly amount: number;
  /**
   * The `causeId` of the claim's previous settlement or reversal in the ledger, of any remittance; null for the first one. Absent in
   * rows of older releases, which need no order.
   */
  readonly after?: string | null;
}

/** The steps in claims, with their summaries in the Temporal UI. */
export const claims = localSteps<ClaimsForRemittances>('10s', {
  knownClaims: 'Claims: which of these exist',
  recordRemittance: 'Claims: record the remittance',
  recordSettlement: 'Claims: record the settlement',
});
