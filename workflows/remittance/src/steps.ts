/**
 * The remittance's own steps: each one transaction of the payments service, run as local activities. Each may be repeated after a
 * crash and then does nothing new. An ApiError carries a code of the contract; a step that rejects has dropped the command, and a
 * repetition of it fails as CommandGone.
 */
import type { RemittanceStatus } from '@carecover/contract';
import type { ClaimsForRemittances } from './ports';

/** Something that payments committed and the claims service has not recorded yet; `causeId` makes it one. */
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

/** A remittance as the facts have it. */
export interface RemittanceState {
  readonly status: RemittanceStatus;
  /** Until when it may wait for money, ISO 8601 UTC. */
  readonly deadline: string;
  /** How far off the deadline was by the database's clock; zero or less where it had passed. Milliseconds. */
  readonly remainingMs: number;
  readonly currency: string;
  /** Minor units. */
  readonly total: number;
  /** What its matched observations settled. Minor units. */
  readonly settled: number;
  /** In the order in which claims must record it. */
  readonly pending: readonly Notification[];
}

/** One step of a command; the command's row says what was asked. */
export interface CommandStep {
  readonly commandId: string;
}

export interface RemittanceSteps {
  /**
   * Posts the advice's allocations, all or none. Where it names claims without an account, it decides nothing and gives those
   * back as strangers, until `knownClaims` says which of them exist.
   * @throws ApiError resource_not_found, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
   *   claim_not_adjudicated, currency_mismatch, over_allocation
   */
  allocate(
    step: CommandStep & { readonly knownClaims: readonly string[] | null },
  ): Promise<RemittanceState | { readonly strangers: readonly string[] }>;
  /** @throws ApiError duplicate_settlement_reference, allocation_duplicate, future_timestamp, over_allocation */
  observe(step: CommandStep): Promise<RemittanceState>;
  /** @throws ApiError invalid_state where the observation is reversed already */
  reverseObservation(step: CommandStep): Promise<RemittanceState>;
  /** Looks at the facts and evaluates them by the clock. Null where there is no such remittance. */
  review(which: { remittanceId: string }): Promise<RemittanceState | null>;
  /** Notes that claims recorded these and answers the command, if any, in one commit. */
  conclude(input: {
    remittanceId: string;
    commandId: string | null;
    toldCauses: readonly string[];
  }): Promise<RemittanceState>;
}
