import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The number of the status in Temporal's database. */
const RUNNING = 1;

/**
 * Adds a running run without a history to Temporal's list of workflows. After a restore of Temporal's histories alone, the list has such runs for
 * ever; after the deletion of a run, for some seconds.
 *
 * @param visibilityUrl the address of the database with the list
 * @param copied ID of the listed workflow whose other columns the new row gets
 * @param searchAttributes search attributes that replace those of the copied row
 */
export async function listMissingRun(
  visibilityUrl: string,
  workflowId: string,
  copied: string,
  searchAttributes: object = {},
): Promise<void> {
  const client = new Client({ connectionString: visibilityUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `insert into executions_visibility (namespace_id, run_id, start_time, execution_time, workflow_id, workflow_type_name,
         status, encoding, task_queue, search_attributes)
       select namespace_id, $1::text, start_time, execution_time, $2::text, workflow_type_name,
         ${RUNNING}, encoding, task_queue, search_attributes || $4::jsonb
       from executions_visibility where workflow_id = $3 limit 1`,
      [randomUUID(), workflowId, copied, JSON.stringify(searchAttributes)],
    );
    if (rowCount !== 1) throw new Error(`Temporal lists no run of ${copied}.`);
  } finally {
    await client.end();
  }
}
