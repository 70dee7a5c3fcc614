/** Finds ports to listen on, on this machine's loopback address. */
import { createServer } from 'node:net';
import { StartFailure } from './failure';

const LOOPBACK = '127.0.0.1';

/** A port that is free now; it stays so only as long as nobody else takes it. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Which port to use: the one the setting names or nothing, else the preferred one, else any free one. */
export async function choosePort(wish: {
  /** The setting's name and its value, where it is set. */
  setting?: { name: string; port: number } | undefined;
  preferred: number;
}): Promise<number> {
  if (wish.setting !== undefined) {
    const { name, port } = wish.setting;
    if (await isFree(port)) return port;
    throw new StartFailure(
      `Port ${port}, which ${name} names, is taken by another program: stop that program, or set ${name} to a free port, or unset it.`,
    );
  }
  return (await isFree(wish.preferred)) ? wish.preferred : freePort();
}

/** Whether the port can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : port));
    });
  });
}
