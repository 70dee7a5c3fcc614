/** Sends commands to bare claims: the SQL before and after the workflow, and the Update between them. */
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { BareCommand, BareStep } from '../bare/bare-claim';
import { BARE_CLAIMS, barePreauthorizationOf } from '../bare/bare-names';
import type { OpenLoad } from '../harness/driver';
import { createInParallel } from '../harness/in-parallel';
import { type Instance, Replay, type ReplaySettings } from '../recording/replay';

export interface BareClaimsOptions {
  readonly temporalAddress: string;
  readonly replay: ReplaySettings;
  /** The command, such as `submit`, whose recorded steps are executed. */
  readonly command: string;
  readonly claims: readonly { readonly instance: Instance; readonly seed: string }[];
}

/** The steps of a second workflow, which the step before signals. */
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
  const respond = rest.pop() ?? '';
  const steps = rest
    .map((name, index): BareStep => {
      const next = rest[index + 1];
      const signals = next !== undefined && SECOND.test(next);
      return { name, ...(signals ? { learnedBy: next } : {}) };
    })
    .filter(({ name }) => !SECOND.test(name));
  const learnedBy = steps.find((step) => step.learnedBy !== undefined)?.learnedBy;
  if (learnedBy !== undefined) {
    await createInParallel(claims.length, async (number) => {
      const claim = claims[number];
      if (claim === undefined) return;
      await client.workflow.start('barePreauthorization', barePreauthorizationOf(claim, learnedBy));
    });
  }
  return {
    size: claims.length,
    async shoot(number) {
      const claim = claims[number];
      if (claim === undefined) throw new Error('claims has no item with this number');
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
      await replay.playStep(respond, instance, seed);
    },
    async close() {
      await replay.close();
      await connection.close();
    },
  };
};
