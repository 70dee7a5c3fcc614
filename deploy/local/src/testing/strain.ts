/** What a suite needs to make a part hang, or to put a hole where a part should be: neither answers or rejects anything. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The process and all below it, the parents first. */
function treeOf(pid: number): number[] {
  const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [pid];
  // Grows while it is walked.
  for (const each of tree) {
    for (const [child, parent] of parents) if (parent === each && child !== undefined) tree.push(child);
  }
  return tree;
}

/** Stops a process and all below it in the middle of whatever they do; what is given back lets them go on. */
export function freeze(pid: number): () => void {
  const frozen = treeOf(pid);
  for (const each of frozen) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of frozen.reverse()) process.kill(each, 'SIGCONT');
  };
}

/** Listens with the shortest queue there is, and says where. */
const LISTENER = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
  process.send(this.address().port);
})`;
/** Enough to fill the queue, on any system. */
const FILLERS = 8;

export interface BlackHole {
  readonly url: string;
  close(): Promise<void>;
}

/** An address that neither accepts nor rejects a connection: a frozen process whose queue of connections is full. */
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
