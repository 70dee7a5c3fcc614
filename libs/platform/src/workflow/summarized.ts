/**
 * A workflow's lines to the services: its activities, each with the line that an operator reads beside it in the history.
 * Failure policy, of all: what is away is tried again for ever, at most five seconds apart; only a refusal is final.
 */
import type { Duration } from '@temporalio/common';
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

/** A line for every activity: one without doesn't compile. */
type Summaries<Activities> = { readonly [Name in keyof Activities]: string };

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;

/** Steps of the workflow's own service, as local activities. @param startToCloseTimeout of one attempt */
export function ownSteps<Steps>(startToCloseTimeout: Duration, summaries: Summaries<Steps>): Steps {
  return eachOf(summaries, (summary) => proxyLocalActivities<Steps>({ startToCloseTimeout, retry, summary }));
}

/** Activities of another service, on its queue. @param startToCloseTimeout of one attempt */
export function stepsElsewhere<Steps>(
  taskQueue: string,
  startToCloseTimeout: Duration,
  summaries: Summaries<Steps>,
): Steps {
  return eachOf(summaries, (summary) =>
    proxyActivities<Steps>({ taskQueue, startToCloseTimeout, retry, summary }),
  );
}

function eachOf<Steps>(
  summaries: Summaries<Steps>,
  proxied: (summary: string) => { readonly [Name in keyof Steps]: unknown },
): Steps {
  const steps: Partial<Record<keyof Steps, unknown>> = {};
  for (const name in summaries) steps[name] = proxied(summaries[name])[name];
  return steps as Steps;
}
