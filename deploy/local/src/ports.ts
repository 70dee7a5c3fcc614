/** Finds ports to listen on, on this machine's loopback address. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartFailure } from './failure';

const LOOPBACK = '127.0.0.1';
/** Below the ports that systems give to outgoing connections, which could take a free one before we listen on it. */
const FREE_FROM = 20_000;
const FREE_BEFORE = 30_000;

/** A port that is free now; it stays so only as long as nobody else takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_FROM, FREE_BEFORE);
    if (await isFree(port)) return port;
  }
}

/** Whether the port can be listened on now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

export interface PortWish {
  /** The port that a setting names, which is then used or nothing. */
  setting?: { name: string; port: number } | undefined;
  /** Ports to take if they are free, the first one best. */
  preferred: readonly number[];
}

/** Gives out the ports of one stack, none twice. */
export class PortChooser {
  private readonly given = new Set<number>();

  /** @throws StartFailure when the port that a setting names is taken */
  async choose(wish: PortWish): Promise<number> {
    const port = await this.find(wish);
    this.given.add(port);
    return port;
  }

  private async find({ setting, preferred }: PortWish): Promise<number> {
    if (setting !== undefined) {
      if (await this.available(setting.port)) return setting.port;
      throw new StartFailure(
        `Port ${setting.port}, which ${setting.name} names, is taken: stop the program that has it, or set ${setting.name} to a free port, or unset it.`,
      );
    }
    for (const port of preferred) if (await this.available(port)) return port;
    for (;;) {
      const port = await freePort();
      if (!this.given.has(port)) return port;
    }
  }

  private async available(port: number): Promise<boolean> {
    return !this.given.has(port) && (await isFree(port));
  }
}
