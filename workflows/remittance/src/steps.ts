/**
 * The step of the remittance's workflow, which is a local activity of the payments service, and the calls of payments to the claims service.
 * A step that is repeated has no second effect.
 */
import type { RemittanceStatus } from '@carecover/contract';
import { localSteps, type ResourceReport } from '@carecover/temporal/workflow';

/** A notification to the claims service about a change that payments has committed. `causeId` identifies the change. */
export type Notification =
  | {
      readonly kind: 'remittance';
      readonly causeId: string;
      readonly input: Parameters<ClaimsForPayments['recordRemittance']>[0];
    }
  | {
      readonly kind: 'remittance_recovered';
      readonly causeId: string;
      readonly input: RecoveredRemittance;
    }
  | {
      readonly kind: 'withdrawal';
      readonly causeId: string;
      readonly input: WithdrawnAdvice;
    }
  | {
      readonly kind: 'settlement';
      readonly causeId: string;
      readonly input: Parameters<ClaimsForPayments['recordSettlement']>[0];
    };

/** What a remittance awaits and shows. */
export interface RemittanceReport extends ResourceReport {
  readonly status: RemittanceStatus;
  /** The instant by which the remittance must be settled, ISO 8601 UTC; null if it no longer waits for that deadline. */
  readonly deadline: string | null;
  /** Milliseconds until `deadline` by the database's clock; null without a deadline. */
  readonly dueInMs: number | null;
  /** What the remittance awaits, in words; null if it awaits nothing, so that its run can end. */
  readonly awaits: string | null;
}

export interface RemittanceSteps {
  /**
   * Changes the remittance's status if its deadline has passed, and delivers its pending notifications to claims. Returns its state; null if
   * the remittance does not exist.
   */
  review(which: { readonly tenant: string; readonly remittanceId: string }): Promise<RemittanceReport | null>;
}

/** The step, with its summary in the Temporal UI. */
export const steps = localSteps<RemittanceSteps>('20s', {
  review: 'Apply the deadline, let claims record what is pending, and read the remittance',
});

/**
 * The calls to the claims service. Payments has decided before each
 * call. Claims records the decision on all claims of the call in one transaction, in any status, and can't reject it. Each call is
 * idempotent. The second argument of a call is the ID of the client's request. Amounts in minor units, times in ISO 8601 UTC.
 *
 * A call fails and is retried until claims has committed the adjudication versions and has recorded the changes (`after`) that the call names.
 * So claims records the changes of what is remitted, and those of what is settled, in the order of the ledger, although notifications about
 * different remittances are sent independently.
 */
export interface ClaimsForPayments {
  /** Returns the IDs of those of the given claims that exist for the tenant. */
  knownClaims(
    input: { tenant: string; claimIds: readonly string[] },
    requestId: string,
  ): Promise<readonly string[]>;
  /** Returns what payers owe for the tenant's claims, per currency, as known at an instant that has passed. Changes nothing. */
  outstandingAt(
    input: { tenant: string; at: string },
    requestId: string,
  ): Promise<readonly { readonly currency: string; readonly amount: number }[]>;
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
        readonly after: PreviousRemitted;
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
  /**
   * Appends the fact `remittance_recovered` to the claim, which lowers what is remitted by `amount`. Claims records it in any status, once per
   * `recoveryId`, and can't reject it. What is settled changes only by {@link recordSettlement}, whose amounts can be negative without being a
   * reversal. The notification of the takeback has the kind `remittance_recovered` and the recovery's ID as its cause.
   */
  recordRecovery(input: RecoveredRemittance, requestId: string): Promise<void>;
  /**
   * Appends the facts that undo an advice to its claims, in one transaction: `remittance_recovered` for each allocation, and
   * `remittance_recorded` for each recovery. They take effect when they are recorded, so that earlier valuations do not change.
   */
  recordWithdrawal(input: WithdrawnAdvice, requestId: string): Promise<void>;
}

/**
 * The `causeId` of the claim's previous change of what is remitted in the ledger, by any advice: of a remittance, a recovery or a withdrawal; null
 * if there is none. The claims service must have recorded that previous change before it records the next one.
 */
type PreviousRemitted = string | null;

/** A payer's advice that payments has withdrawn. Nothing of it was settled. Amounts in minor units, at least 1. */
export interface WithdrawnAdvice {
  readonly tenant: string;
  /** The facts' cause, which makes a repeated call have no second effect: the remittance's ID with the suffix `:withdrawal`. */
  readonly causeId: string;
  readonly remittanceId: string;
  readonly adviceId: string;
  readonly reasonCode: string;
  /** What the advice allocated: claims lowers what is remitted. */
  readonly allocations: readonly {
    readonly claimId: string;
    readonly amount: number;
    readonly after: PreviousRemitted;
  }[];
  /** What the advice took back: claims raises what is remitted. */
  readonly recoveries: readonly {
    readonly claimId: string;
    readonly recoveryId: string;
    readonly amount: number;
    readonly after: PreviousRemitted;
  }[];
}

/** A takeback of a payer's advice that payments has committed. */
export interface RecoveredRemittance {
  readonly tenant: string;
  readonly claimId: string;
  /** `rcv_…`, made by payments: the fact's cause, which makes a repeated call have no second effect. */
  readonly recoveryId: string;
  /** `adv_…`, the advice that takes the amount back. */
  readonly adviceId: string;
  /** In minor units, at least 1; at most what is remitted for the claim and not taken back. */
  readonly amount: number;
  readonly currency: string;
  /** When the payer's advice was received: the advice's `received_at`, ISO 8601 UTC. */
  readonly effectiveAt: string;
  /** The advice's reason codes, at most 16. */
  readonly reasonCodes: readonly string[];
  readonly after: PreviousRemitted;
}

/** The part of a settlement's amount that belongs to one claim; negative for a reversal, and for a takeback that the funds prove. */
export interface SettledAmount {
  readonly claimId: string;
  readonly amount: number;
  /**
   * The `causeId` of the claim's previous settlement or reversal in the ledger, of any remittance; null if there is none. The claims
   * service must have recorded that previous change before it records this one.
   */
  readonly after: string | null;
}
