/** Checks histories of API requests with the linearizability checker porcupine. The Go program in the folder `checker` calls it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linearizabilityChecker } from '@carecover/testing/servers';
import { writeHistory } from './history';

interface Verdict {
  readonly operations: number;
  /** The number of operations without a known outcome. */
  readonly open: number;
  /** The number of checked partitions of the history, by model. */
  readonly partitions: Readonly<Record<string, number>>;
  /** The model and the resource of each partition that is not linearizable: no order of its operations explains the responses. */
  readonly illegal: readonly string[];
  /** The model and the resource of each partition whose check had no result before the timeout. */
  readonly undecided: readonly string[];
  /** For each partition that is not linearizable, the first impossible response and the operations before it. */
  readonly explanation: string;
}

/** Writes a history into a folder and checks it. If a partition is not linearizable, the folder also gets its visualization. */
export async function checkHistory(folder: string, lines: readonly object[]): Promise<Verdict> {
  const file = join(folder, 'history.jsonl');
  await writeHistory(file, lines);
  const { stdout, stderr } = await promisify(execFile)(await linearizabilityChecker(), [file, folder]);
  return { ...JSON.parse(stdout), explanation: stderr };
}
