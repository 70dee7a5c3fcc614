/** Reads small files, and writes them atomically and synced to disk. */
import { open, readFile, rename } from 'node:fs/promises';

/** Permissions of written files: only the owner can read and write them. */
const MODE = 0o600;

/** Replaces the content of a file atomically. Only the owner can read the file. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', MODE);
  try {
    await file.chmod(MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}

/** Returns the text of a file; undefined if there is no such file. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
