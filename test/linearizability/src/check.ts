/** Checks histories with porcupine, by the program in the folder checker. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linearizabilityChecker } from '@carecover/local/testing';
import { writeHistory } from './history';

interface Verdict {
  readonly operations: number;
  /** The number of operations without a known outcome. */
  readonly open: number;
  /** The number of partitions by model. */
  readonly partitions: Readonly<Record<string, number>>;
  /** The model and the resource of each partition that no order of its operations explains. */
  readonly illegal: readonly string[];
  /** The partitions whose check took too long. */
  readonly undecided: readonly string[];
  /** For each violation the first impossible response and the operations before it. */
  readonly explanation: string;
}

/** Writes a history into a folder, beside the visualizations of its violations, and checks it. */
export async function checkHistory(folder: string, lines: readonly object[]): Promise<Verdict> {
  const file = join(folder, 'history.jsonl');
  await writeHistory(file, lines);
  const { stdout, stderr } = await promisify(execFile)(await linearizabilityChecker(), [file, folder]);
  return { ...JSON.parse(stdout), explanation: stderr };
}
