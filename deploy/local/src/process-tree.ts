/** Sends signals to a process and its descendants. */
import { execFileSync } from 'node:child_process';

/** Returns the IDs of a process and its descendants, parents before children. */
function listProcessTree(pid: number): number[] {
  const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // The loop appends the IDs of child processes to the list, and iterates over the appended IDs too.
  for (const each of tree) {
    for (const [child, parent] of parents) if (parent === each && child !== undefined) tree.push(child);
  }
  return tree;
}

/** Suspends a process and its descendants. Returns a function that resumes those that still run. */
export function freeze(pid: number): () => void {
  const frozen = listProcessTree(pid);
  for (const each of frozen) sendSignal(each, 'SIGSTOP');
  return () => {
    for (const each of frozen.reverse()) sendSignal(each, 'SIGCONT');
  };
}

/** Kills a process and its descendants, also suspended ones. */
export function killProcessTree(pid: number): void {
  for (const each of listProcessTree(pid)) sendSignal(each, 'SIGKILL');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The error code ESRCH means that the process has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
