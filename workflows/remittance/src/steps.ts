/**
 * The steps of the remittance's workflow in the payments service. Each is one transaction, run as a local activity, and is idempotent. API
 * errors have codes of the API contract. A step that rejects a command has deleted the command row; if the step is repeated, it throws
 * CommandGone.
 */
import type { RemittanceStatus } from '@carecover/contract';
import { localSteps } from '@carecover/platform/workflow';

/** A notification to the claims service about a change that payments has committed. `causeId` identifies the change. */
export type Notification =
  | {
      readonly kind: 'remittance';
      readonly causeId: string;
      readonly input: Parameters<ClaimsForRemittances['recordRemittance']>[0];
    }
  | {
      readonly kind: 'settlement';
      readonly causeId: string;
      readonly input: Parameters<ClaimsForRemittances['recordSettlement']>[0];
    };

/** What the workflow of a remittance knows of it, and returns after each step. */
export interface RemittanceState {
  readonly status: RemittanceStatus;
  /** The instant by which the remittance must be settled, ISO 8601 UTC. */
  readonly deadline: string;
  /** Milliseconds until `deadline` by the database's clock; zero or less if it has passed. */
  readonly remainingMs: number;
  readonly currency: string;
  /** The sum of the remittance's allocations, in minor units. */
  readonly total: number;
  /** The sum of the amounts of the remittance's matched settlements, in minor units. */
  readonly settled: number;
  /**
   * Notifications that claims has not recorded yet, in the order in which claims must record them: at most one page, because Temporal
   * limits the size of a step's result.
   */
  readonly pending: readonly Notification[];
  /** Whether more notifications follow those in `pending`. */
  readonly hasMorePending: boolean;
}

/** Identifies a command on a remittance. The command row contains the request. */
export interface CommandStep {
  readonly tenant: string;
  readonly remittanceId: string;
  readonly commandId: string;
}

export interface AdviceStep extends CommandStep {
  /** Of the advice's claims that have no account, those that exist in the claims service; null before the claims service was called. */
  readonly knownClaims: readonly string[] | null;
}

export type AdviceOutcome = RemittanceState | { readonly claimsWithoutAccount: readonly string[] };

export interface ConclusionStep {
  readonly tenant: string;
  readonly remittanceId: string;
  readonly commandId: string | null;
  /** The `causeId` of each notification that claims has recorded. */
  readonly recordedCauses: readonly string[];
}

export interface RemittanceSteps {
  /**
   * Posts the advice's allocations, all or none. If `knownClaims` is null and some of the advice's claims have no account, the step posts
   * nothing and returns the IDs of these claims. The workflow then repeats the step with `knownClaims`: those of the IDs that exist in the
   * claims service.
   * @throws ApiError resource_not_found, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
   *   claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state
   */
  allocate(step: AdviceStep): Promise<AdviceOutcome>;
  /** Records a settlement. @throws ApiError duplicate_settlement_reference, allocation_duplicate, future_timestamp, over_allocation */
  observe(step: CommandStep): Promise<RemittanceState>;
  /** Reverses a settlement. @throws ApiError invalid_state if the settlement is reversed already */
  reverseObservation(step: CommandStep): Promise<RemittanceState>;
  /** Reads the remittance, and changes its status if its deadline has passed. Returns null if the remittance does not exist. */
  review(which: { tenant: string; remittanceId: string }): Promise<RemittanceState | null>;
  /** Marks the notifications that the claims service has recorded and, if there is a command, stores its response, in one transaction. */
  conclude(step: ConclusionStep): Promise<RemittanceState>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<RemittanceSteps>('10s', {
  allocate: 'Post the advice',
  observe: 'Post the observation',
  reverseObservation: 'Post the reversal of the observation',
  review: 'Read the facts and compare them with the clock',
  conclude: 'Answer the command',
});

/**
 * The steps of the remittance's workflow in the claims service: HTTP calls from its local activities. Payments has decided before each
 * call. Claims records the decision on all claims of the call in one transaction, in any status, and can't reject it. Each step is
 * idempotent. The second argument of a step is the request ID of the HTTP call. Amounts in minor units, times in ISO 8601 UTC.
 *
 * A call fails and is retried until claims has committed the adjudication versions and has recorded the settlements (`after`) that the call
 * names. Calls for remittances can arrive in any order, because claims only adds up their amounts.
 */
export interface ClaimsForRemittances {
  /** Returns the IDs of those of the given claims that exist for the tenant. */
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
   * Appends the fact `settled` to every claim in `amounts`, in one transaction; the amounts are negative if a settlement is reversed. If
   * `reconciled` is not null, also appends the fact `reconciled` to every claim of the remittance.
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
   * The `causeId` of the claim's previous settlement or reversal in the ledger, of any remittance; null if there is none. The claims
   * service must have recorded that previous change before it records this one.
   */
  readonly after: string | null;
}

/** The steps in claims, with their summaries in the Temporal UI. */
export const claims = localSteps<ClaimsForRemittances>('10s', {
  knownClaims: 'Claims: which of these exist',
  recordRemittance: 'Claims: record the remittance',
  recordSettlement: 'Claims: record the settlement',
});
