/** Finds ports to listen on, on this machine's loopback address. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Lock, tryLock } from '../../process/lock.cjs';
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

/** Gives out the ports of one stack. None is given to two stacks, also not to two that start at the same moment. */
export class PortChooser {
  private readonly reserved = new Map<number, Lock>();

  /** `folder`: where all stacks of this user reserve their ports. */
  constructor(private readonly folder: string) {}

  /** @throws StartFailure when the port that a setting names is taken */
  async choose({ setting, preferred }: PortWish): Promise<number> {
    if (setting !== undefined) {
      if (await this.reserve(setting.port)) return setting.port;
      throw new StartFailure(
        `Port ${setting.port}, which ${setting.name} names, is taken: stop the program that has it, or set ${setting.name} to a free port, or unset it.`,
      );
    }
    for (const port of preferred) if (await this.reserve(port)) return port;
    for (;;) {
      const port = await freePort();
      if (await this.reserve(port)) return port;
    }
  }

  /** Gives all ports back. */
  release(): void {
    for (const lock of this.reserved.values()) lock.release();
    this.reserved.clear();
  }

  private async reserve(port: number): Promise<boolean> {
    if (this.reserved.has(port)) return false;
    const lock = tryLock(join(this.folder, String(port)));
    if (!('release' in lock)) return false;
    this.reserved.set(port, lock);
    if (await isFree(port)) return true;
    this.reserved.delete(port);
    lock.release();
    return false;
  }
}
