/**
 * Recorded workflow histories, and their replay: a run that an older release started must continue under a newer release, so every
 * release replays the histories of all releases before it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
// biome-ignore lint/plugin: Temporal's SDK exports no other function that writes a history in the format that its replay reads.
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { type WorkflowName, workflowBundle } from './bundle-workflow';

export interface RecordedHistory {
  /** The path of the history's file, relative to the folder of histories. */
  readonly name: string;
  readonly text: string;
}

let isSilent = false;

/** Suppresses the log lines of Temporal about failed replays: {@link replayHistories} returns the failures. */
function silenceTemporalLog(): void {
  if (isSilent) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  isSilent = true;
}

/** Reads all histories in the folder and its subfolders, sorted by name. */
export function recordedHistories(folder: string): RecordedHistory[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/**
 * Writes a run's history to `<folder>/<release>/<name>.json` if the environment variable RECORD_HISTORIES contains a release.
 *
 * @throws Error if the file exists: a recorded history never changes
 */
export async function recordHistory(folder: string, name: string, run: WorkflowHandle): Promise<void> {
  const release = process.env.RECORD_HISTORIES;
  if (release === undefined) return;
  const file = join(folder, release, `${name}.json`);
  if (existsSync(file))
    throw new Error(`${file} exists, and recorded histories never change: record under a new release`);
  // Stack traces, identities and sticky queues contain names of the recording machine. They are removed from the history, because a
  // replay does not read them.
  const text = historyToJSON(await run.fetchHistory())
    .replaceAll(/"(stackTrace|identity)": "(?:[^"\\]|\\.)*"/g, '"$1": ""')
    .replaceAll(/"\d+@[^"]*"/g, '"sticky"');
  mkdirSync(join(folder, release), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** Replays histories with the current code of the workflow. Returns one line per history that does not replay. */
export async function replayHistories(
  workflow: WorkflowName,
  histories: readonly RecordedHistory[],
): Promise<string[]> {
  silenceTemporalLog();
  const bundle = { codePath: await workflowBundle(workflow) };
  const parsed = histories.map(({ name, text }) => ({ workflowId: name, history: JSON.parse(text) }));
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, parsed)) {
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return failures;
}

/** Returns a copy of a history in which one step has another name: the history of a workflow whose code calls other steps. */
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
