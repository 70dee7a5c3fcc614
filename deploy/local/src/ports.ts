/** Chooses free TCP ports on the loopback address. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Lock, tryLock } from '../../process/lock.cjs';
import { StartFailure } from './failure';

const LOOPBACK = '127.0.0.1';
/**
 * Ranges of chosen ports, the last one excluded. They are below the ephemeral ports, which outgoing connections can take before a server
 * listens on them. {@link freePort} does not choose a port that a stack has reserved and does not listen on yet.
 */
const UNRESERVED = [20_000, 24_000] as const;
const RESERVED = [24_000, 30_000] as const;

/** Jest's workers choose from parts of their own, because a server listens on its port some time after the choice. */
const PARTS = 4;
/** The ports that {@link freePort} has returned, so that servers that start together get different ones. */
const returned = new Set<number>();

/** Returns a port that is free now, for tests. Another program can take the port before it is used. */
export async function freePort(): Promise<number> {
  const [from, before] = UNRESERVED;
  const size = (before - from) / PARTS;
  const start = from + (Number(process.env.JEST_WORKER_ID ?? 0) % PARTS) * size;
  if (returned.size > size / 2) returned.clear();
  for (;;) {
    const port = await freePortIn([start, start + size]);
    if (returned.has(port)) continue;
    returned.add(port);
    return port;
  }
}

async function freePortIn([from, before]: readonly [number, number]): Promise<number> {
  for (;;) {
    const port = randomInt(from, before);
    if (await isFree(port)) return port;
  }
}

/** Returns whether a server can listen on a port now. */
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

export interface PortRequest {
  /** The port that a setting names, if any; then no other port is chosen. */
  setting?: { name: string; port: number } | undefined;
  /** Ports that are chosen if they are free, in order of preference. */
  preferred: readonly number[];
}

/** Chooses the ports of one stack and reserves them, so that two stacks that start concurrently get different ports. */
export class PortChooser {
  private readonly reserved = new Map<number, Lock>();

  /** @param folder the folder in which all stacks of this user reserve their ports */
  constructor(private readonly folder: string) {}

  /** Chooses and reserves a port. @throws StartFailure if the port that a setting names is taken */
  async choose({ setting, preferred }: PortRequest): Promise<number> {
    if (setting !== undefined) {
      if (await this.reserve(setting.port)) return setting.port;
      throw new StartFailure(
        `Port ${setting.port}, which ${setting.name} names, is taken: stop the program that has it, or set ${setting.name} to a free port, or unset it.`,
      );
    }
    for (const port of preferred) if (await this.reserve(port)) return port;
    for (;;) {
      const port = await freePortIn(RESERVED);
      if (await this.reserve(port)) return port;
    }
  }

  /** Releases all reserved ports. */
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
