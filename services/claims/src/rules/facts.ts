/** A claim's facts: what happened, when it took effect and when the service recorded it. The valuation folds nothing else. */
import type { ClaimStatus, ClaimValuationEventType } from '@carecover/contract';

/** What a claim begins with. Amounts in minor units. */
export interface Opening {
  readonly currency: string;
  readonly billed: number;
}

/** What an adjudication says: exact sums over its lines, in minor units. */
export interface Adjudication {
  readonly adjudication_id: string;
  readonly version: number;
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
  readonly policy: { readonly reference: string; readonly version: string };
}

/** An amount in minor units that advice or observed money adds; negative where an observation was taken back. */
export interface Movement {
  readonly amount: number;
}

type DecisionType = 'approved' | 'partially_approved' | 'denied';
type MovementType = 'remittance_recorded' | 'settled';

interface Kind<T extends ClaimValuationEventType, D> {
  readonly type: T;
  readonly detail: D;
}

/** A fact's type with what only that type says. */
export type FactKind =
  | Kind<'created', Opening>
  | Kind<DecisionType, Adjudication>
  | Kind<MovementType, Movement>
  | Kind<Exclude<ClaimValuationEventType, 'created' | DecisionType | MovementType>, null>;

export type Fact = FactKind & {
  readonly sequence: number;
  /** Epoch milliseconds, as all times here. */
  readonly effectiveAt: number;
  readonly recordedAt: number;
  readonly previousStatus: ClaimStatus | null;
  readonly nextStatus: ClaimStatus;
  readonly reasonCode: string | null;
  readonly evidenceReferences: readonly string[];
  /** The command, lapse, remittance or observation behind it. */
  readonly cause: string;
  /** Which key or service decided or reported it. */
  readonly authority: string;
};
