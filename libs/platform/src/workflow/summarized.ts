/**
 * A workflow's steps: local activities, each with the summary that an operator reads beside it in the history. A step in another service
 * is an HTTP call from a local activity (remote-steps.ts).
 *
 * Failure policy: what is away is retried for as long as it takes; only a rejection is final. The first retries run within the workflow
 * task. Longer pauses are Temporal's timers, so that an absence of hours adds a few hundred events to a history, and a new attempt comes
 * at most half a minute after the other service is back.
 */
import type { Duration } from '@temporalio/common';
import { proxyLocalActivities } from '@temporalio/workflow';

/** A summary for every step: a step without one doesn't compile. */
type Summaries<Steps> = { readonly [Name in keyof Steps]: string };

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;
/** A pause longer than this is a timer. */
const localRetryThreshold = '1s';

/** @param startToCloseTimeout of one attempt */
export function localSteps<Steps>(startToCloseTimeout: Duration, summaries: Summaries<Steps>): Steps {
  const steps: Partial<Record<keyof Steps, unknown>> = {};
  for (const name in summaries) {
    const summary = summaries[name];
    const options = { startToCloseTimeout, retry, localRetryThreshold, summary };
    steps[name] = proxyLocalActivities<Steps>(options)[name];
  }
  return steps as Steps;
}
