/**
 * Sweeps that complete work after a crash or an outage: pending commands whose sender has stopped, open remittances without a workflow (for
 * example after a restore), overdue deadlines, notifications that the claims service has not recorded, and workflows that lost an Update.
 */
import {
  dropCommand,
  type Log,
  type OwnedResource,
  RecentSignals,
  resendStaleCommands,
  type SentCommand,
  type Sql,
  type Sweep,
  sendAll,
  signalOutdatedWorkflows,
  signalUnlessRecent,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import { remittanceWorkflow } from '@carecover/workflow-remittance/definition';
import {
  findCommandsRemittanceId,
  findOpenRemittances,
  findOverdueRemittances,
  findUnrecordedRemittances,
  type OverdueRemittance,
  readRemittanceStatuses,
} from './store/remittances';
import { findSettlement } from './store/settlements';

/** Age in seconds from which a command without a response is sent again, because its sender no longer waits. */
const STALE_S = 20;
/** Seconds after a deadline, or after a notification was enqueued, in which the sweeps leave a remittance to its workflow. */
const GRACE_S = 10;
/** Maximum number of remittances that one run of a sweep reads. */
const BATCH = 50;

/** Finds the ID of the remittance whose workflow executes a command; undefined if the project has no such remittance. */
async function findRemittanceId(
  sql: Sql,
  { id, operation, resourceId, caller: { tenant } }: SentCommand,
): Promise<string | undefined> {
  if (operation === 'createRemittance') return resourceId;
  if (operation === 'createSettlement') return findCommandsRemittanceId(sql, tenant, id);
  return (await findSettlement(sql, tenant, resourceId))?.remittance_id;
}

/** Creates the sweeps of remittances. Several processes can run the same sweep at once. */
export function remittanceSweeps(sql: Sql, temporal: TemporalCommands, log: Log): Sweep[] {
  const resendCommands = resendStaleCommands(sql, STALE_S, log, async (command) => {
    const remittanceId = await findRemittanceId(sql, command);
    // The command names no remittance. Its sender ended before it could delete the command.
    if (remittanceId === undefined) return dropCommand(sql, command.caller.tenant, command.id);
    await temporal.command(remittanceWorkflow, command, remittanceId);
  });

  const startMissing = startMissingWorkflows(
    BATCH,
    (afterId, limit) => findOpenRemittances(sql, afterId, limit),
    (page) => temporal.ensureAllRunning(remittanceWorkflow, page),
    log,
  );

  /**
   * Signals the workflows to read their remittances' states again, and starts the workflows that do not run. A workflow that this process
   * signalled recently is only started, because it retries automatically, and each signal makes its history longer.
   */
  const signalAll = (remittances: readonly OwnedResource[], signals: RecentSignals) =>
    sendAll(remittances, (remittance) =>
      signalUnlessRecent(temporal, remittanceWorkflow, remittance, signals),
    );

  const overdueSignals = new RecentSignals();
  let lastOverdue: OverdueRemittance | null = null;

  /**
   * Signals the remittances past their deadline, one page per pass, cyclically, so that those whose workflows can't review them do not hide
   * the others.
   */
  async function signalOverdue(): Promise<void> {
    const page = await findOverdueRemittances(sql, GRACE_S, lastOverdue, BATCH);
    lastOverdue = page.length < BATCH ? null : (page.at(-1) ?? null);
    await signalAll(page, overdueSignals);
  }

  const unrecordedSignals = new RecentSignals();
  let afterId = '';

  /**
   * Signals the remittances with pending notifications, one page per pass, cyclically: a remittance can wait for a notification of another
   * one, which must have its turn even if those that wait fill a page.
   */
  async function signalUnrecorded(): Promise<void> {
    const page = await findUnrecordedRemittances(sql, GRACE_S, afterId, BATCH);
    afterId = page.length < BATCH ? '' : (page.at(-1)?.id ?? '');
    await signalAll(page, unrecordedSignals);
  }

  return [
    { name: 'remittance commands without an answer', run: resendCommands },
    { name: 'remittances without a workflow', run: startMissing },
    {
      name: 'remittances past their deadline',
      run: signalOverdue,
    },
    {
      name: 'notifications that claims has not recorded',
      run: signalUnrecorded,
    },
    {
      name: 'workflows that show an outdated status of their remittance',
      run: signalOutdatedWorkflows(temporal, remittanceWorkflow, (ids) => readRemittanceStatuses(sql, ids)),
    },
  ];
}
