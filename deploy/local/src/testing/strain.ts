/** Simulates processes that hang, and addresses that neither accept nor reject connections. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Returns the IDs of a process and its descendants, parents first. */
function listProcessTree(pid: number): number[] {
  const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // The loop appends to the list that it iterates.
  for (const each of tree) {
    for (const [child, parent] of parents) if (parent === each && child !== undefined) tree.push(child);
  }
  return tree;
}

/** Suspends a process and its descendants. Returns a function that resumes them. */
export function freeze(pid: number): () => void {
  const frozen = listProcessTree(pid);
  for (const each of frozen) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of frozen.reverse()) process.kill(each, 'SIGCONT');
  };
}

/** Listens with the shortest connection queue, and sends its port. */
const LISTENER = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
  process.send(this.address().port);
})`;
/** Number of connections that fills the queue on any system. */
const FILLERS = 8;

export interface BlackHole {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an address that neither accepts nor rejects connections: a suspended process whose connection queue is full. */
export async function startBlackHole(): Promise<BlackHole> {
  const child = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = (await once(child, 'message')) as [number];
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  for (let count = 0; count < FILLERS; count++) {
    fillers.push(connect(port, '127.0.0.1').on('error', () => undefined));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of fillers) socket.destroy();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
