import { type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
type SubmissionSteps = Pick<ClaimSteps, 'prepareSubmission' | 'commitSubmission' | 'dropSubmission'>;
export declare function submissionSteps(sql: Sql): SubmissionSteps;
export {};
