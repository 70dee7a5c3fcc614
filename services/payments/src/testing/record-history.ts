/** Keeps the history of a run for the replay test of the workflow's package, where RECORD_HISTORIES is set. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

const FOLDER = join(__dirname, '../../../../workflows/remittance/histories/0.1.0');

/** @param runId the present run where none is named */
export async function recordHistory(client: Client, name: string, id: string, runId?: string): Promise<void> {
  if (process.env.RECORD_HISTORIES === undefined) return;
  const history = await client.workflow.getHandle(id, runId).fetchHistory();
  mkdirSync(FOLDER, { recursive: true });
  // Stack traces, identities and sticky queues name the machine, and replay does not read them.
  const text = historyToJSON(history)
    .replaceAll(/"(stackTrace|identity)": "(?:[^"\\]|\\.)*"/g, '"$1": ""')
    .replaceAll(/"\d+@[^"]*"/g, '"sticky"');
  writeFileSync(join(FOLDER, `${name}.json`), `${text}\n`);
}
