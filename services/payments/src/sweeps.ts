/**
 * Sweeps that make good what a crash or an outage left undone: the workflows of open remittances that have none, for example after a restore,
 * overdue deadlines, and notifications that claims has not recorded. Several processes can run the same sweep at once.
 */
import { type CommandSettings, deleteRejectedCommands } from '@carecover/commands';
import { atProjectTime, type Sql } from '@carecover/postgres';
import { forEachOf, type Sweep } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  enqueueMissing,
  type SignalTarget,
  startMissingWorkflows,
  type TemporalRuns,
} from '@carecover/temporal';
import { remittanceWorkflow } from '@carecover/workflow-remittance/definition';
import {
  findOpenRemittances,
  findOverdueRemittances,
  findUnrecordedRemittances,
  findWaiting,
} from './store/remittances';
import { applyDue } from './use-cases/apply-due';
import { deliverNotifications, type RemittanceDeps } from './use-cases/deliver-notifications';

/** Seconds after a deadline, or after a notification was enqueued, in which the sweeps leave a remittance to its request or workflow. */
const GRACE_S = 20;
/** Maximum number of remittances that one run of a sweep reads. */
const BATCH = 50;

/** The workflow that signals of remittances go to. */
export const signalTarget: SignalTarget = { workflow: remittanceWorkflow, findWaiting };

/** Creates the sweeps of remittances. */
export function remittanceSweeps(
  deps: Pick<RemittanceDeps, 'sql' | 'claims'>,
  temporal: Pick<TemporalRuns, 'findNotRunning'>,
  log: Log,
): Sweep[] {
  const { sql } = deps;
  let afterId = '';

  /**
   * Delivers pending notifications, one page of remittances per pass, cyclically: a remittance can wait for a notification of another one,
   * which must have its turn even if those that wait fill a page.
   */
  async function deliverPending(): Promise<void> {
    const page = await findUnrecordedRemittances(sql, GRACE_S, afterId, BATCH);
    afterId = page.length < BATCH ? '' : (page.at(-1)?.id ?? '');
    await forEachOf(page, ({ id, tenant }) =>
      atProjectTime(sql, tenant, () => deliverNotifications(deps, tenant, id, id)),
    );
  }

  return [
    {
      name: 'remittances without a workflow',
      run: startMissingWorkflows(
        BATCH,
        (page, limit) => findOpenRemittances(sql, page, limit),
        (page) => enqueueMissing(sql, temporal, page),
        log,
      ),
    },
    {
      name: 'remittances past their deadline',
      run: async () =>
        forEachOf(await findOverdueRemittances(sql, GRACE_S, BATCH), ({ id, tenant }) =>
          applyDue(sql, tenant, id),
        ),
    },
    { name: 'notifications that claims has not recorded', run: deliverPending },
  ];
}

/** Sweeps whose work can wait. */
export function remittanceCleanups(sql: Sql, settings: CommandSettings): Sweep[] {
  return [deleteRejectedCommands(sql, settings)];
}
