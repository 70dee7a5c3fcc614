/**
 * Steps of a command in another service: calls of internal routes of that service, one route per step. Both services use the types of the
 * port that the workflow's package declares. See docs/decisions/0038-facts-lead.md.
 *
 * Failure policy: a rejection by the other service is final. Every other failure is service_unavailable: the command repeats it until its
 * deadline, and then its workflow does. A step can arrive more than once, so its implementation must be idempotent.
 */
import type { Issuer } from '@carecover/config';
import type { Caller } from '@carecover/domain';
import { ApiError } from '@carecover/domain';
import { failpoint } from '@carecover/process';
import { serviceCaller } from './authority';
import type { ServiceClient } from './service-client';
import type { InternalRoute } from './service-server';

/** The type of a step. The step's input contains the tenant; `requestId` is the ID of the client's request. */
// biome-ignore lint/suspicious/noExplicitAny: each port types the inputs and results of its own steps
type Step = (input: any, requestId: string) => Promise<any>;
type Port<Steps> = { readonly [Name in keyof Steps]: Step };

/** The implementations of a port's steps. */
export type StepHandlers<Steps extends Port<Steps>> = {
  readonly [Name in keyof Steps]: (input: Parameters<Steps[Name]>[0]) => ReturnType<Steps[Name]>;
};

const pathOf = (name: string) => `/steps/${name}`;

/**
 * Makes the functions that call another service's steps.
 *
 * @param by the calling service; the other service checks that this service can call the steps
 * @param names the names of all steps of the port
 * @example remoteSteps<CarePort>(care, { service: 'claims', environment }, { sessionForClaim: true })
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
      const result = await client.post(caller, pathOf(name), input);
      failpoint('step.after-call', name);
      return result;
    },
  ]);
  return Object.fromEntries(steps) as Steps;
}

/** Makes one internal route per step. Only the service `caller` can call the routes. */
export function stepRoutes<Steps extends Port<Steps>>(
  caller: Issuer,
  handlers: StepHandlers<Steps>,
): InternalRoute[] {
  return Object.entries<(input: never) => Promise<unknown>>(handlers).map(([name, handler]) => ({
    method: 'POST',
    path: pathOf(name),
    caller,
    async handle({ tenant }, _params, body) {
      const input = body as { readonly tenant: string };
      if (input.tenant !== tenant)
        throw new ApiError(
          'permission_denied',
          "The step's tenant must be the tenant of the signed context.",
        );
      failpoint('step.before-commit', name);
      const result = await handler(input as never);
      failpoint('step.before-response', name);
      return result;
    },
  }));
}
