/**
 * Types of a claim's facts. A fact is a change of the claim, with the times at which it took effect and was recorded. Valuations are
 * computed only from facts.
 */
import type { ClaimStatus, ClaimValuationEventType } from '@carecover/contract';

/** A fact's type: that of an event of valuations, or `remittance_recovered`, which valuations list as another type. */
export type FactType = ClaimValuationEventType | 'remittance_recovered';

/** The detail of a claim's first fact, with the billed amount in minor units. */
export interface ClaimOpening {
  readonly currency: string;
  readonly billed: number;
}

/** The detail of a fact about an adjudication: sums over the adjudication's lines, in minor units. */
export interface Adjudication {
  readonly adjudication_id: string;
  readonly version: number;
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
  readonly policy: { readonly reference: string; readonly version: string };
}

/** The detail of a fact about a remittance or settlement. The amount is in minor units; it is negative for the reversal of a settlement. */
export interface Movement {
  readonly amount: number;
}

/**
 * The detail of a fact about a recovery: the payer takes back an amount of minor units, at least 1, that remittances have advised. Also of the
 * withdrawal of an allocation.
 */
export interface Recovery {
  readonly amount: number;
  /** The payment advice that contains the recovery, or is withdrawn. */
  readonly advice_id: string;
  readonly reason_codes: readonly string[];
}

type DecisionType = 'approved' | 'partially_approved' | 'denied';
type MovementType = 'remittance_recorded' | 'settled';

interface Kind<T extends FactType, D> {
  readonly type: T;
  readonly detail: D;
}

/** The type of a fact together with the detail that this type has. */
export type FactKind =
  | Kind<'created', ClaimOpening>
  | Kind<DecisionType, Adjudication>
  | Kind<MovementType, Movement>
  | Kind<'remittance_recovered', Recovery>
  | Kind<Exclude<ClaimValuationEventType, 'created' | DecisionType | MovementType>, null>;

interface Recorded {
  readonly sequence: number;
  /** When the change took effect. All times in this file are in epoch milliseconds. */
  readonly effectiveAt: number;
  readonly recordedAt: number;
  readonly previousStatus: ClaimStatus | null;
  readonly nextStatus: ClaimStatus;
  readonly reasonCode: string | null;
  readonly evidenceReferences: readonly string[];
}

export type Fact = FactKind &
  Recorded & {
    /** ID of the command, lapsed information request, remittance, recovery, settlement, reversal or withdrawal that caused the fact. */
    readonly cause: string;
    /** The API key or service that decided or reported the change. */
    readonly authority: string;
  };

/** A fact with the fields that a valuation needs. The detail of a decision is null if a later decision replaced it. */
export type ValuedFact = (FactKind | Kind<DecisionType, null>) & Recorded;
