/** The workflows of claims whose status changed by a settlement or its reversal are signalled. */
import type { ReviewedWorkflows } from '@carecover/platform';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { findWaiting } from './store/claims';

export const reviewedWorkflows: ReviewedWorkflows = { workflow: claimWorkflow, findWaiting };
