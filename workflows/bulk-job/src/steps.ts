/** Steps of the bulk job's workflow in the claims service, executed as local activities. A repeated step has no second effect. */
import { localSteps, type ResourceReport } from '@carecover/temporal/workflow';

/** Identifies a bulk job. */
export interface JobIdentity {
  readonly resourceId: string;
  readonly tenant: string;
}

/** What a job does next, and its progress. */
export interface JobReport extends ResourceReport {
  readonly next: 'more lines' | 'later' | 'paused' | 'ended';
}

export interface BulkJobSteps {
  /**
   * Executes a set of the job's lines that are not executed yet, and stores their results. Ends the job after its last line, or after its
   * cancellation. Starts no line while the job is paused. Does nothing, and returns `later`, while the process executes enough other sets.
   *
   * @throws ApiError service_unavailable if a line could not be executed, after the results of the others are stored
   */
  executeLines(job: JobIdentity): Promise<JobReport>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<BulkJobSteps>('60s', { executeLines: 'Execute a set of lines' });
