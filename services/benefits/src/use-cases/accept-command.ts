/**
 * Accepts an HTTP request that changes a pre-authorization, and waits until the workflow has executed its command. Failure policy: while
 * Temporal is unavailable the response is 503. A repeated request or the sweep completes the command later; it has one effect.
 */
import type { Environment } from '@carecover/contract';
import {
  type Call,
  executeCommand,
  newId,
  notFound,
  type Reply,
  requireResource,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import {
  type PreauthorizationCommand,
  preauthorizationWorkflow,
} from '@carecover/workflow-preauthorization/definition';
import { findPreauthorization } from '../store/preauthorizations';

export interface CommandDependencies {
  readonly sql: Sql;
  readonly engine: Pick<TemporalCommands, 'command'>;
}

/**
 * Executes a command in the pre-authorization's workflow.
 *
 * @throws ApiError resource_not_found, service_unavailable, and the API errors of the command
 */
export function acceptCommand(
  { sql, engine }: CommandDependencies,
  call: Call<PreauthorizationCommand>,
): Promise<Reply> {
  const { operation, caller } = call;
  const id = call.params.preauthorization_id;
  return executeCommand(sql, call, {
    resourceId: id,
    update: preauthorizationWorkflow.updates[operation],
    body: call.body,
    replayStatus: call.replayStatus,
    precheck: async () => {
      requireResource(caller, id, await findPreauthorization(sql, caller.tenant, id));
    },
    send: (command) => engine.command(preauthorizationWorkflow, command),
  });
}

/** Does the same as {@link acceptCommand}, for the operation that expires a pre-authorization early. Sandbox only; the idempotency key is optional. */
export async function acceptExpiry(
  deps: CommandDependencies & { readonly environment: Environment },
  call: Call<'expirePreauthorization'>,
): Promise<Reply> {
  if (deps.environment !== 'sandbox') throw notFound();
  return acceptCommand(deps, { ...call, idempotencyKey: call.idempotencyKey ?? newId('once_') });
}
