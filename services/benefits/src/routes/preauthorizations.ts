/** HTTP routes of pre-authorizations. */
import type { Environment } from '@carecover/contract';
import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { preauthorizationResource } from '../resources';
import { findPreauthorization, listPreauthorizations } from '../store/preauthorizations';
import { cancelPreauthorization } from '../use-cases/cancel-preauthorization';
import { type CreationDependencies, createPreauthorization } from '../use-cases/create-preauthorization';
import { decidePreauthorization } from '../use-cases/decide-preauthorization';
import { expirePreauthorization } from '../use-cases/expire-preauthorization';
import type { PreauthorizationCommandDeps } from '../use-cases/preauthorization-command';

export type PreauthorizationDependencies = CreationDependencies &
  PreauthorizationCommandDeps & { readonly environment: Environment };

export function preauthorizationHandlers(
  deps: PreauthorizationDependencies,
): Pick<
  Handlers,
  | 'createPreauthorization'
  | 'getPreauthorization'
  | 'listPreauthorizations'
  | 'decidePreauthorization'
  | 'cancelPreauthorization'
  | 'expirePreauthorization'
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

    decidePreauthorization: (call) => decidePreauthorization(deps, call),

    cancelPreauthorization: (call) => cancelPreauthorization(deps, call),

    expirePreauthorization: (call) => expirePreauthorization(deps, call),
  };
}
