/** Simulates addresses that neither accept nor reject connections. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A program that listens with the shortest connection queue, and sends its port to its parent process. */
const LISTENER = `require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
  process.send(this.address().port);
})`;
/** A number of connections that is enough to fill the connection queue on every operating system. */
const FILLERS = 8;

export interface BlackHole {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens an address that neither accepts nor rejects connections: that of a suspended process whose connection queue is full. */
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
