/** A claim's facts: each change, when it took effect and when the service recorded it. A valuation is computed from nothing else. */
import type { ClaimStatus, ClaimValuationEventType } from '@carecover/contract';

/** The detail of a claim's first fact. Amounts in minor units. */
export interface Opening {
  readonly currency: string;
  readonly billed: number;
}

/** The detail of an adjudication's fact: exact sums over its lines, in minor units. */
export interface Adjudication {
  readonly adjudication_id: string;
  readonly version: number;
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
  readonly policy: { readonly reference: string; readonly version: string };
}

/** The detail of a remittance's or settlement's fact: the amount in minor units; negative for the reversal of a settlement. */
export interface Movement {
  readonly amount: number;
}

type DecisionType = 'approved' | 'partially_approved' | 'denied';
type MovementType = 'remittance_recorded' | 'settled';

interface Kind<T extends ClaimValuationEventType, D> {
  readonly type: T;
  readonly detail: D;
}

/** A fact's type with its detail. */
export type FactKind =
  | Kind<'created', Opening>
  | Kind<DecisionType, Adjudication>
  | Kind<MovementType, Movement>
  | Kind<Exclude<ClaimValuationEventType, 'created' | DecisionType | MovementType>, null>;

interface Recorded {
  readonly sequence: number;
  /** Epoch milliseconds, like every time in this file. */
  readonly effectiveAt: number;
  readonly recordedAt: number;
  readonly previousStatus: ClaimStatus | null;
  readonly nextStatus: ClaimStatus;
  readonly reasonCode: string | null;
  readonly evidenceReferences: readonly string[];
}

export type Fact = FactKind &
  Recorded & {
    /** ID of the command, lapse, remittance or settlement that caused it. */
    readonly cause: string;
    /** The key or service that decided or reported it. */
    readonly authority: string;
  };

/** What the valuation reads of a fact. A decision that a later one replaced has no amounts to read. */
export type ValuedFact = (FactKind | Kind<DecisionType, null>) & Recorded;
