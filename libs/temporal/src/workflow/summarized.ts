/**
 * The steps of a workflow: local activities, each with a summary that the Temporal UI shows in the history. A step in another service is an
 * HTTP request from a local activity (remote-steps.ts).
 *
 * Failure policy: steps are retried without limit; only an API error below 500 is final. A pause of more than a second between two attempts
 * is a Temporal timer, so an outage of hours adds a few hundred events to a history. The first retry after an outage starts at most 30
 * seconds after the outage's end.
 */
import type { Duration } from '@temporalio/common';
import { proxyLocalActivities } from '@temporalio/workflow';

/** The text that the Temporal UI shows for each step, by the step's name. A step without a summary is a compile error. */
type Summaries<Steps> = { readonly [Name in keyof Steps]: string };

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;
/** A pause before a retry that is longer than this is a timer in the history. */
const localRetryThreshold = '1s';

/**
 * Returns the steps as functions that run local activities.
 *
 * @param startToCloseTimeout maximum time of one attempt of a step; after it, the step is retried
 */
export function localSteps<Steps>(startToCloseTimeout: Duration, summaries: Summaries<Steps>): Steps {
  const steps: Partial<Record<keyof Steps, unknown>> = {};
  for (const name in summaries) {
    const summary = summaries[name];
    const options = { startToCloseTimeout, retry, localRetryThreshold, summary };
    steps[name] = proxyLocalActivities<Steps>(options)[name];
  }
  return steps as Steps;
}
