/** A small disk that a test fills, to find out what a full disk does to the processes that write to it. */
import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unprivilegedUser } from '@carecover/local/unprivileged';

export interface SmallDisk {
  /** The folder in which the disk is mounted. */
  readonly path: string;
  /** Creates an empty folder on the disk that belongs to the user who runs PostgreSQL. Returns its path. */
  createDatabaseFolder(name: string): Promise<string>;
  /** Uses all free space. What other files free afterwards is free again. */
  fill(): Promise<void>;
  /** Frees the space that {@link fill} used. */
  empty(): Promise<void>;
  unmount(): Promise<void>;
}

const CHUNK = Buffer.alloc(64 * 1024);

/**
 * Mounts a disk of this size, in memory. It requires Linux, and root or `sudo` without a password, as in the hosted CI.
 *
 * @throws Error if the disk can't be mounted
 */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'carecover-disk-'));
  const filler = join(path, 'filler');
  await runAsRoot('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=1777`, 'tmpfs', path);
  return {
    path,
    async createDatabaseFolder(name) {
      const folder = join(path, name);
      const user = await unprivilegedUser();
      await mkdir(folder);
      if (user !== undefined) await chown(folder, user.uid, user.gid);
      return folder;
    },
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (let size = CHUNK.length; size > 0; ) {
          try {
            await file.write(CHUNK, 0, size);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size = Math.floor(size / 2);
          }
        }
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    async unmount() {
      await runAsRoot('umount', path);
      await rm(path, { recursive: true });
    },
  };
}

async function runAsRoot(program: string, ...args: string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  await promisify(execFile)(
    isRoot ? program : 'sudo',
    isRoot ? args : ['--non-interactive', program, ...args],
  );
}
