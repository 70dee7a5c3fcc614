/**
 * Steps of a workflow in another service: HTTP calls from local activities of the workflow's worker to internal routes of the other
 * service, one route per step. Both sides are typed by the port that the workflow declares.
 *
 * Failure policy: a rejection by the other service is final and carries its code; everything else is retried by the local activity. A
 * step may arrive more than once, so each is idempotent by what its input names.
 */
import { asyncLocalStorage } from '@temporalio/activity';
import { ApiError } from './api-error';
import { serviceCaller } from './context';
import { failpoint } from './failpoints';
import type { ServiceClient } from './service-client';
import type { InternalRoute } from './service-server';
import type { Caller } from './tenant';

/** A step's input names the tenant; the second argument is the id of the request on whose behalf it is called. */
// biome-ignore lint/suspicious/noExplicitAny: each port types the inputs and results of its own steps
type Step = (input: any, requestId: string) => Promise<any>;
type Port<Steps> = { readonly [Name in keyof Steps]: Step };

/** A port's steps as the service that takes them implements them. */
export type StepHandlers<Steps extends Port<Steps>> = {
  readonly [Name in keyof Steps]: (input: Parameters<Steps[Name]>[0]) => ReturnType<Steps[Name]>;
};

const pathOf = (name: string) => `/steps/${name}`;

/**
 * Makes the local activities that call another service's steps.
 *
 * @param by the calling service, as the other one authorizes it
 * @param names every step of the port
 */
export function remoteSteps<Steps extends Port<Steps>>(
  client: ServiceClient,
  by: { readonly service: string; readonly environment: Caller['environment'] },
  names: { readonly [Name in keyof Steps]: true },
): Steps {
  const steps = Object.keys(names).map((name): [string, Step] => [
    name,
    async (input: { readonly tenant: string }, requestId) => {
      failpoint('step.before-call', name);
      const caller = serviceCaller(input.tenant, by.environment, by.service, requestId);
      // A worker that shuts down cancels its activities; in a test there may be none.
      const signal = asyncLocalStorage.getStore()?.cancellationSignal;
      const result = await client.post(caller, pathOf(name), input, signal);
      failpoint('step.after-call', name);
      return result;
    },
  ]);
  return Object.fromEntries(steps) as Steps;
}

/** Makes the internal routes by which `caller`, and no other service, calls these steps. */
export function stepRoutes<Steps extends Port<Steps>>(
  caller: string,
  handlers: StepHandlers<Steps>,
): InternalRoute[] {
  return Object.entries<(input: never) => Promise<unknown>>(handlers).map(([name, handler]) => ({
    method: 'POST',
    path: pathOf(name),
    caller,
    async handle({ tenant }, _params, body) {
      const input = body as { readonly tenant: string };
      if (input.tenant !== tenant)
        throw new ApiError('permission_denied', 'This is a step for another tenant.');
      failpoint('step.before-commit', name);
      const result = await handler(input as never);
      failpoint('step.before-answer', name);
      return result;
    },
  }));
}
