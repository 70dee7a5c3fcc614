/**
 * Simulates a full disk for one server: the kernel fails each write beyond a size of the file, until the server is started again without the
 * limit. A real full disk would need a file system of its own, and with it privileges.
 */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LimitedFiles {
  /** The program to start instead of the executable. */
  readonly executable: string;
  /** Sets the maximum size of a file in blocks of 512 bytes, from the next start of the server on. */
  limit(blocks: number | 'unlimited'): Promise<void>;
}

/** Wraps an executable in a program that applies a limit, which is stored in the folder. At first, there is none. */
export async function limitFiles(folder: string, executable: string): Promise<LimitedFiles> {
  const wrapper = join(folder, 'with-limited-files');
  const limitFile = join(folder, 'file-limit');
  const limit = (blocks: number | 'unlimited') => writeFile(limitFile, String(blocks));
  await limit('unlimited');
  // The kernel also sends a signal, which would end the server.
  await writeFile(
    wrapper,
    `#!/bin/sh\ntrap '' XFSZ\nulimit -f "$(cat '${limitFile}')"\nexec '${executable}' "$@"\n`,
  );
  await chmod(wrapper, 0o700);
  return { executable: wrapper, limit };
}
