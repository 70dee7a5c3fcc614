/**
 * Steps of the valuation run's workflow in the claims service, executed as local activities. A step that is repeated after a crash has no
 * second effect.
 */
import { localSteps } from '@carecover/platform/workflow';

/** Identifies a valuation run. */
export interface RunIdentity {
  readonly resourceId: string;
  readonly tenant: string;
}

/** The state of the roll-ups, which are completed before the sums are read. */
export interface RollUpProgress {
  /** Whether more months can be rolled up. */
  readonly hasMore: boolean;
  /** The progress of the run in percent. */
  readonly percent: number;
}

export interface ValuationSteps {
  /**
   * Closes all claims of the project through the run's cutoff. Returns how many milliseconds the cutoff is ahead of the database's time; 0
   * if it is closed; null if the run does not exist or has ended.
   *
   * @throws ApiError service_unavailable if writers held the project's lock for several seconds
   */
  closeCutoff(run: RunIdentity): Promise<number | null>;
  /** Rolls up the next month of the project, if one before the cutoff has ended and is not rolled up. */
  rollUpMonth(run: RunIdentity): Promise<RollUpProgress>;
  /** Computes and stores the result. Returns the text for operators. */
  computeResult(run: RunIdentity): Promise<string>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<ValuationSteps>('60s', {
  closeCutoff: 'Make the facts through the cutoff final',
  rollUpMonth: 'Roll up one month of the project',
  computeResult: 'Add up and store the result',
});
