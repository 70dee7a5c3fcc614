/**
 * Sweeps that complete work after a crash or an outage: pending commands without a sender, open claims without a workflow (for example
 * after a restore), overdue information requests, and ended claims that benefits has not released. Every sweep can run at any time and on
 * several replicas at once.
 */
import {
  type Log,
  type OwnedResource,
  resendStaleCommands,
  type Sql,
  type Sweep,
  sendAll,
  startMissingWorkflows,
  type TemporalCommands,
} from '@carecover/platform';
import { claimWorkflow } from '@carecover/workflow-claim/definition';

/** After this time without a response, a command's sender has ended. */
const STALE_S = 15;
/** A deadline that is overdue for this time was missed by its workflow. */
const GRACE_S = 5;
/** Claims per sweep. */
const BATCH = 200;

export function claimsSweeps(sql: Sql, engine: TemporalCommands, log: Log): Sweep[] {
  const startMissing = startMissingWorkflows(
    BATCH,
    async (afterId, limit) => sql<OwnedResource[]>`
      select id, project_id as tenant, environment from claims
      where status in ('submitted', 'queried', 'approved', 'partially_approved')
        and id > ${afterId} and last_recorded_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${limit}`,
    (page) => engine.ensureAllRunning(claimWorkflow, page),
  );

  async function signalOverdue(): Promise<void> {
    // The subquery reads the clock once. Read per row, it would prevent the use of the index on deadlines.
    const rows = await sql<OwnedResource[]>`
      select c.id, c.project_id as tenant, c.environment from information_requests r join claims c on c.id = r.claim_id
      where r.status = 'open' and r.due_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by r.due_at limit ${BATCH}`;
    await sendAll(rows, (row) => engine.signalReview(claimWorkflow, row));
  }

  /** Only starts missing runs: an existing run retries until benefits responds. */
  async function freeEnded(): Promise<void> {
    const rows = await sql<OwnedResource[]>`
      select id, project_id as tenant, environment from claims
      where status in ('cancelled', 'reversed') and released_at is null
        and last_recorded_at < (select platform.now()) - ${GRACE_S} * interval '1 second'
      order by id limit ${BATCH}`;
    await sendAll(rows, (row) => engine.ensureRunning(claimWorkflow, row));
  }

  return [
    {
      name: 'claim commands without an answer',
      run: resendStaleCommands(sql, STALE_S, log, (command) => engine.command(claimWorkflow, command)),
    },
    { name: 'open claims without a workflow', run: startMissing },
    { name: 'information requests past their deadline', run: signalOverdue },
    { name: 'ended claims that still use something', run: freeEnded },
  ];
}
