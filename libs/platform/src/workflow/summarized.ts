/** A workflow's activities, each with the line that an operator reads beside it in the history. */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

/** A line for every activity: one without doesn't compile. */
type Summaries<Activities> = { readonly [Name in keyof Activities]: string };

/** Steps of the workflow's own service, as local activities. */
export function ownSteps<Steps>(options: LocalActivityOptions, summaries: Summaries<Steps>): Steps {
  return eachOf(summaries, (summary) => proxyLocalActivities<Steps>({ ...options, summary }));
}

/** Activities of another service, on the queue that `options` name. */
export function stepsElsewhere<Steps>(options: ActivityOptions, summaries: Summaries<Steps>): Steps {
  return eachOf(summaries, (summary) => proxyActivities<Steps>({ ...options, summary }));
}

function eachOf<Steps>(
  summaries: Summaries<Steps>,
  proxied: (summary: string) => { readonly [Name in keyof Steps]: unknown },
): Steps {
  const steps: Partial<Record<keyof Steps, unknown>> = {};
  for (const name in summaries) steps[name] = proxied(summaries[name])[name];
  return steps as Steps;
}
