/** How the bare workflows are found: by those who start them, and by those who carry them out. */
import type { BareInstance } from './bare-claim';

export const BARE_CLAIMS = 'bench-claims';
export const WAKE = 'wake';

/** How the workflow of the pre-authorization which a bare claim uses is started. */
export function barePreauthorizationOf(of: BareInstance, learnedBy: string) {
  return {
    taskQueue: BARE_CLAIMS,
    workflowId: `bare-preauthorization-${of.seed}`,
    args: [of, learnedBy] as const,
  };
}
