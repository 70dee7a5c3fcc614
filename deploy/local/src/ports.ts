/** Chooses free TCP ports on the loopback address. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Lock, tryLock } from '../process/lock.cjs';
import { StartFailure } from './failure';

const LOOPBACK = '127.0.0.1';
/**
 * Ranges of ports, as the lowest port and the first port above the range: UNRESERVED for {@link freePort}, RESERVED for
 * {@link PortChooser}. They do not overlap, so that `freePort` never returns a port that a stack has reserved. Both ranges are below the
 * ephemeral ports, which outgoing connections can take.
 */
const UNRESERVED = [20_000, 24_000] as const;
const RESERVED = [24_000, 30_000] as const;

/**
 * Number of parts into which {@link freePort} divides its range of ports. Each worker of Jest chooses from one part, because a server
 * listens on its port only some time after the choice, and workers do not know each other's choices.
 */
const PARTS = 4;
/** The ports that {@link freePort} has tried or returned already, so that servers that start at the same time get different ports. */
const returned = new Set<number>();

/** Returns a port that is free now, for tests. Another program can take the port before it is used. */
export async function freePort(): Promise<number> {
  const [from, before] = UNRESERVED;
  const size = (before - from) / PARTS;
  const start = from + (Number(process.env.JEST_WORKER_ID ?? 0) % PARTS) * size;
  if (returned.size > size / 2) returned.clear();
  for (;;) {
    const port = randomInt(start, start + size);
    if (returned.has(port)) continue;
    // The port is noted before the check, so that a concurrent call does not choose it during the check.
    returned.add(port);
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
  /** The setting that names the port, and the port. If it is present, no other port is chosen, even if the port is taken. */
  setting?: { name: string; port: number } | undefined;
  /** Ports that are chosen if they are free, in order of preference. */
  preferred: readonly number[];
}

/** Chooses the ports of one stack and reserves them, so that two stacks that start concurrently get different ports. */
export class PortChooser {
  private readonly reserved = new Map<number, Lock>();

  /** @param folder the folder in which all stacks of this operating system user reserve their ports */
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
      // `reserve` first takes the reservation and then tries to listen on the port. If another stack has reserved the port, `reserve` does
      // not listen on it, because a server of the other stack that starts at this moment would fail.
      const port = randomInt(...RESERVED);
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
