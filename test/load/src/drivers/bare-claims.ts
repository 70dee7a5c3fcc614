/** Commands to bare claims: what a service does before and after its workflow, and the Update in between. */
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { BareCommand, BareStep } from '../bare/bare-claim';
import { BARE_CLAIMS, barePreauthorizationOf } from '../bare/bare-names';
import type { OpenLoad } from '../harness/driver';
import { inParallel } from '../harness/in-parallel';
import { type Instance, Replay, type ReplaySettings } from '../recording/replay';

export interface BareClaimsOptions {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
  /** `submit` and the like: whose recorded steps are played. */
  readonly command: string;
  readonly claims: readonly { readonly instance: Instance; readonly seed: string }[];
}

/** The steps of a second workflow, which the step before wakes. */
const SECOND = /\.second\./;

export const open: OpenLoad<BareClaimsOptions> = async (options, connections) => {
  const { command, claims } = options;
  const connection = await Connection.connect({ address: options.temporalAddress });
  const client = new Client({ connection });
  const replay = new Replay({ ...options.replay, pool: connections });
  const names = options.replay.recording.steps
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${command}.`));
  const [accept = '', ...rest] = names;
  const answer = rest.pop() ?? '';
  const steps = rest
    .map((name, index): BareStep => {
      const next = rest[index + 1];
      const wakes = next !== undefined && SECOND.test(next);
      return { name, ...(wakes ? { learnedBy: next } : {}) };
    })
    .filter(({ name }) => !SECOND.test(name));
  const learnedBy = steps.find((step) => step.learnedBy !== undefined)?.learnedBy;
  if (learnedBy !== undefined) {
    await inParallel(claims.length, async (number) => {
      const claim = claims[number];
      if (claim === undefined) return;
      await client.workflow.start('barePreauthorization', barePreauthorizationOf(claim, learnedBy));
    });
  }
  return {
    size: claims.length,
    async shoot(number) {
      const claim = claims[number];
      if (claim === undefined) throw new Error('there is no such claim');
      const { instance, seed } = claim;
      await replay.playStep(accept, instance, seed);
      const startWorkflowOperation = new WithStartWorkflowOperation('bareClaim', {
        taskQueue: BARE_CLAIMS,
        workflowId: `bare-${seed}`,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      const sent: BareCommand = { instance, seed, steps };
      await client.workflow.executeUpdateWithStart('command', {
        args: [sent],
        updateId: `${command}-${seed}`,
        startWorkflowOperation,
      });
      await replay.playStep(answer, instance, seed);
    },
    async close() {
      await replay.close();
      await connection.close();
    },
  };
};
