/** Names that the clients and the worker of the bare workflows share. */
import type { BareInstance } from './bare-claim';

export const BARE_CLAIMS = 'bench-claims';
export const USED_SIGNAL = 'used';

/** Returns the start options of the pre-authorization's workflow of a bare claim. */
export function barePreauthorizationOf(of: BareInstance, learnedBy: string) {
  return {
    taskQueue: BARE_CLAIMS,
    workflowId: `bare-preauthorization-${of.seed}`,
    args: [of, learnedBy] as const,
  };
}
