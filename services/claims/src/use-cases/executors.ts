/** The commands on claims that have several steps, and what their use cases call. */
import { executeAdjudication } from './adjudicate-claim';
import type { ClaimCommandDeps } from './claim-command';
import { executeReversal } from './reverse-claim';
import { executeSubmission } from './submit-claim';

/** Adds the executors to the dependencies of commands on claims. */
export function withExecutors(base: Omit<ClaimCommandDeps, 'executors'>): ClaimCommandDeps {
  const deps: ClaimCommandDeps = {
    ...base,
    executors: {
      createClaim: (command) => executeSubmission(deps, command),
      adjudicateClaim: (command) => executeAdjudication(deps, command),
      reverseClaim: (command) => executeReversal(deps, command),
    },
  };
  return deps;
}
