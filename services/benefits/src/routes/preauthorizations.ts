/**
 * HTTP routes of pre-authorizations. A creation is one database transaction; the workflow executes every later change. Failure policy:
 * while Temporal is unavailable, pre-authorizations can be created and read. Other writes respond 503; repeated later, they have one
 * effect.
 */
import type { Environment } from '@carecover/contract';
import { type Handlers, requireResource } from '@carecover/platform';
import type { PreauthorizationCommand } from '@carecover/workflow-preauthorization/definition';
import { preauthorizationResource } from '../resources';
import { findPreauthorization, listPreauthorizations } from '../store/preauthorizations';
import { acceptCommand, acceptExpiry, type CommandDependencies } from '../use-cases/accept-command';
import { type CreationDependencies, createPreauthorization } from '../use-cases/create-preauthorization';

export type PreauthorizationDependencies = CreationDependencies &
  CommandDependencies & { readonly environment: Environment };

export function preauthorizationHandlers(
  deps: PreauthorizationDependencies,
): Pick<
  Handlers,
  'createPreauthorization' | 'getPreauthorization' | 'listPreauthorizations' | PreauthorizationCommand
> {
  const { sql } = deps;
  return {
    createPreauthorization: (call) => createPreauthorization(deps, call),

    async getPreauthorization({ caller, params }) {
      const id = params.preauthorization_id;
      const row = requireResource(caller, id, await findPreauthorization(sql, caller.tenant, id));
      return { status: 200, body: preauthorizationResource(row) };
    },

    async listPreauthorizations({ caller, query }) {
      const body = await listPreauthorizations(sql, caller, query, preauthorizationResource);
      return { status: 200, body };
    },

    decidePreauthorization: (call) => acceptCommand(deps, call),

    cancelPreauthorization: (call) => acceptCommand(deps, call),

    expirePreauthorization: (call) => acceptExpiry(deps, call),
  };
}
