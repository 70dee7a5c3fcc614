/**
 * Recorded histories of every release replay on the code of today: a run that began under an older release goes on under this
 * one. What a workflow's tests hold a change against before it can be released.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from './bundle-workflow';

export interface RecordedHistory {
  /** Its file, from the folder of histories on. */
  readonly name: string;
  readonly text: string;
}

let isQuiet = false;

/** What would tell of each replay that fails, which is told here anyway. */
function quietenRuntime(): void {
  if (isQuiet) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  isQuiet = true;
}

/** All histories in the folder and below it, by name. */
export function recordedHistories(folder: string): RecordedHistory[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/**
 * Keeps a run's history as `<folder>/<release>/<name>.json`, where the variable RECORD_HISTORIES names a release; otherwise
 * does nothing. @throws where that release has such a history already: what was recorded stays
 */
export async function recordHistory(folder: string, name: string, run: WorkflowHandle): Promise<void> {
  const release = process.env.RECORD_HISTORIES;
  if (release === undefined) return;
  const file = join(folder, release, `${name}.json`);
  if (existsSync(file)) throw new Error(`${file} is there already: a recorded history is never changed`);
  // Stack traces, identities and sticky queues name the machine, and replay does not read them.
  const text = historyToJSON(await run.fetchHistory())
    .replaceAll(/"(stackTrace|identity)": "(?:[^"\\]|\\.)*"/g, '"$1": ""')
    .replaceAll(/"\d+@[^"]*"/g, '"sticky"');
  mkdirSync(join(folder, release), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** Replays them on the workflow. Gives what is wrong, a line for each history that does not replay. */
export async function replayHistories(
  workflow: Parameters<typeof workflowBundle>[0],
  histories: readonly RecordedHistory[],
): Promise<string[]> {
  quietenRuntime();
  const bundle = { codePath: await workflowBundle(workflow) };
  const parsed = histories.map(({ name, text }) => ({ workflowId: name, history: JSON.parse(text) }));
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, parsed)) {
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return failures;
}

/** A recorded history in which one step (a local activity) has another name, as a workflow with other steps would have written it. */
export function withStepRenamed({ name, text }: RecordedHistory, from: string, to: string): RecordedHistory {
  const renamed = text.replaceAll(/"data": "([A-Za-z0-9+/=]+)"/g, (whole, data: string) => {
    const decoded = Buffer.from(data, 'base64').toString('utf8');
    const step = `"activity_type":"${from}"`;
    if (!decoded.includes(step)) return whole;
    const changed = decoded.replace(step, `"activity_type":"${to}"`);
    return `"data": "${Buffer.from(changed).toString('base64')}"`;
  });
  return { name, text: renamed };
}
