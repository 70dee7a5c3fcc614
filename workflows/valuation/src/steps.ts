/**
 * Steps of the valuation run's workflow in the claims service, executed as local activities. A step that is repeated after a crash has no
 * second effect.
 */
import { localSteps } from '@carecover/temporal/workflow';

/** Identifies a valuation run. */
export interface RunIdentity {
  readonly resourceId: string;
  readonly tenant: string;
}

/** The outcome of a step that did nothing, because the same step of another run of the project was in progress. */
export interface RetryLater {
  /** After how many milliseconds the step is to be repeated. */
  readonly retryAfterMs: number;
}

/** The progress of the portfolio roll-ups, which are completed before the sums are read. */
export interface RollUpProgress extends Partial<RetryLater> {
  /** Whether there can be another month to roll up. */
  readonly hasMore: boolean;
  /** The progress of the whole valuation run in percent. */
  readonly percent: number;
}

export interface ValuationSteps {
  /**
   * Closes all claims of the project through the run's cutoff, if the cutoff has passed. Returns 0 if the claims are closed; otherwise by
   * how many milliseconds the cutoff is after the database's time; null if the run does not exist or has ended.
   *
   * @throws ApiError service_unavailable if writers held the project's lock for several seconds
   */
  closeCutoff(run: RunIdentity): Promise<number | null>;
  /**
   * Rolls up the project's first month that has ended before the cutoff and is not rolled up, or a slice of it if it has many changes. Does
   * nothing if there is none, or if another run or a request is rolling up a month of the project.
   */
  rollUpMonth(run: RunIdentity): Promise<RollUpProgress>;
  /**
   * Computes and stores the result of the run, unless the result of another run of the project is being computed. Returns the text that the
   * Temporal UI shows to operators.
   */
  computeResult(run: RunIdentity): Promise<string | RetryLater>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<ValuationSteps>('60s', {
  closeCutoff: 'Make the facts through the cutoff final',
  rollUpMonth: 'Roll up a month of the project, or a part of it',
  computeResult: 'Add up and store the result',
});
