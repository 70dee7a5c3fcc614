/** The commands on pre-authorizations that have several steps, and what their use cases call. */
import { executeApproval } from './decide-preauthorization';
import type { PreauthorizationCommandDeps } from './preauthorization-command';

/** Adds the executors to the dependencies of commands on pre-authorizations. */
export function withExecutors<Base extends Omit<PreauthorizationCommandDeps, 'executors'>>(
  base: Base,
): Base & PreauthorizationCommandDeps {
  const deps: Base & PreauthorizationCommandDeps = {
    ...base,
    executors: { decidePreauthorization: (command) => executeApproval(deps, command) },
  };
  return deps;
}
